package import RunViews

extension TextStyle {
  /// Whether a stream uses colours.
  ///
  /// `NO_COLOR` decides, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then whether the stream is a terminal that supports
  /// colours.
  package static func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
    if let no = environment["NO_COLOR"], !no.isEmpty { return false }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let force = environment[name], !force.isEmpty { return force != "0" && force != "false" }
    }
    return isTerminal && environment["TERM"] != "dumb"
  }
}
