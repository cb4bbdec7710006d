internal import Expressions
package import FlowModel
package import SourceDiagnostics

/// The error for a template that has no value. It contains no secrets.
package struct ResolutionError: Error, Sendable, Hashable {
  /// The cause of the error.
  package enum Kind: Sendable, Hashable {
    /// A variable that has no default and was not given a value.
    case unsetVariable(String)
    /// A secret that was not given a value.
    case unsetSecret(String)
    /// An environment variable that is not set.
    case unsetEnvironment(String)
    /// A value with a line break or NUL in a text that allows only a single line.
    case controlCharacter(Template.Segment)
    /// An expression that has no value, or a value of the wrong type. The texts describe the cause without secrets.
    case expression(String, help: String? = nil)
  }

  /// The cause of the error.
  package let kind: Kind
  /// The source location of the template.
  package let range: SourceRange?

  /// Builds an error.
  package init(_ kind: Kind, at range: SourceRange?) {
    self.kind = kind
    self.range = range
  }

  /// The error as a diagnostic with location and help.
  package var diagnostic: Diagnostic {
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
    case .expression(let message, let help):
      Diagnostic(.expressionValue, message, at: range, help: help)
    case .controlCharacter(let segment):
      Diagnostic(
        .templateControlCharacter,
        "the value of '\(segment.reference)' contains a line break or NUL, which is not allowed here", at: range,
        help: "give a value of one line")
    }
  }
}

extension ResolutionError: CustomStringConvertible {
  /// The message of the diagnostic.
  package var description: String { diagnostic.message }
}

extension Template.Segment {
  /// The reference as templates write it; empty for text.
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
