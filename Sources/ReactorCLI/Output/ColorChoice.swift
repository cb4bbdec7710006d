/// When colours are used.
package enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  case auto
  case always
  case never

  /// Whether a stream gets colours: the flag decides, then `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`, then
  /// whether it is a terminal that knows them.
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
