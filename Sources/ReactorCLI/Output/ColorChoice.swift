/// When output uses colours.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  case auto
  case always
  case never

  /// Whether a stream uses colours.
  ///
  /// The flag decides, then `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then whether the stream is a terminal
  /// that supports colours.
  package func colors(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let no = environment["NO_COLOR"], !no.isEmpty { return false }
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      if let force = environment[name], !force.isEmpty { return force != "0" && force != "false" }
    }
    return isTerminal && environment["TERM"] != "dumb"
  }
}
