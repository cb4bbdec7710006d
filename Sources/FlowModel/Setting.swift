public import SourceDiagnostics

/// A value that a file contains, or that variables determine.
///
/// The compiler replaces each template with its value, so that a run finds only values.
public enum Setting<Value: Sendable>: Sendable {
  /// A value that was read from the file.
  case value(Located<Value>)
  /// A text whose templates use only values that are known before the first request.
  case template(Located<Template>)

  /// The value; nil while it is a template.
  public var constant: Value? {
    if case .value(let value) = self { value.value } else { nil }
  }

  /// The source location of the value.
  public var range: SourceRange {
    switch self {
    case .value(let value): value.range
    case .template(let template): template.range
    }
  }
}
