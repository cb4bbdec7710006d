import SourceDiagnostics

/// Values for variables from outside the files: `--var NAME=VALUE` first, then `REACTOR_VAR_NAME`.
public struct VariableOverrides: Sendable {
  /// From the command line, by name.
  public var arguments: [String: String]
  /// The whole environment; only names that start with `REACTOR_VAR_` are looked at.
  public var environment: [String: String]

  /// Takes both sources.
  public init(arguments: [String: String] = [:], environment: [String: String] = [:]) {
    self.arguments = arguments
    self.environment = environment
  }

  /// The text given for a variable and where it came from, if any. In the environment `REACTOR_VAR_since` goes before
  /// `REACTOR_VAR_SINCE`.
  func text(for name: String) -> (text: String, origin: String)? {
    if let text = arguments[name] { return (text, "--var \(name)") }
    for key in ["REACTOR_VAR_\(name)", "REACTOR_VAR_\(name.uppercased())"] {
      if let text = environment[key] { return (text, key) }
    }
    return nil
  }
}
