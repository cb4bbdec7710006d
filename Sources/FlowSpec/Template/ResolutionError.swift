internal import Expressions
public import SourceDiagnostics

/// Why a template has no value; contains no secrets.
public struct ResolutionError: Error, Sendable, Hashable {
  /// What is missing or wrong.
  public enum Kind: Sendable, Hashable {
    /// A variable without a default that was not given.
    case unsetVariable(String)
    /// A secret that was not given.
    case unsetSecret(String)
    /// An environment variable that is not set.
    case unsetEnvironment(String)
    /// A value with a line break or NUL where only one line is allowed.
    case controlCharacter(Template.Segment)
    /// An expression that has no value: what is wrong, without the values in it.
    case expression(String)
  }

  /// What is missing or wrong.
  public let kind: Kind
  /// The source location of the template.
  public let range: SourceRange?

  /// Builds an error.
  public init(_ kind: Kind, at range: SourceRange?) {
    self.kind = kind
    self.range = range
  }

  /// The error as a diagnostic with its location and help.
  public var diagnostic: Diagnostic {
    switch kind {
    case .unsetVariable(let name):
      Diagnostic(
        .templateUnsetVariable, "variable '\(name)' has no value", at: range,
        help: "give it with --var \(name)=VALUE or REACTOR_VAR_\(name), or declare a default")
    case .unsetSecret(let name):
      Diagnostic(
        .templateUnsetSecret, "secret '\(name)' has no value", at: range,
        help: "set the environment variable \(name) or name a file with --secret-file")
    case .unsetEnvironment(let name):
      Diagnostic(
        .templateUnsetEnvironment, "environment variable '\(name)' is not set", at: range,
        help: "set it, or use a variable with a default (vars)")
    case .expression(let message):
      Diagnostic(.expressionValue, message, at: range)
    case .controlCharacter(let segment):
      Diagnostic(
        .templateControlCharacter,
        "the value of '\(segment.reference)' contains a line break or NUL, which is not allowed here", at: range,
        help: "give a value of one line")
    }
  }
}

extension ResolutionError: CustomStringConvertible {
  /// The diagnostic's message.
  public var description: String { diagnostic.message }
}

extension Template.Segment {
  /// The name as templates write it; empty for text.
  var reference: String {
    switch self {
    case .text: ""
    case .variable(let name): "vars.\(name)"
    case .secret(let name): "secrets.\(name)"
    case .environment(let name): "env.\(name)"
    case .expression(let expression): expression.text
    }
  }
}
