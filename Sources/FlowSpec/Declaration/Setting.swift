public import SourceDiagnostics

/// A value that a file contains, or that variables determine when the flow is compiled.
public enum Setting<Value: Sendable>: Sendable {
  /// A value that was read from the file.
  case value(Located<Value>)
  /// A text whose templates use only values that are known before the first request.
  case template(Located<Template>)

  /// The value, if the file contains it.
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

/// The error for a text that is not a value of a setting.
public struct SettingError: Error, Sendable {
  /// The code of the diagnostic.
  public var code: FlowCode
  /// The description of the error: lower case, no full stop.
  public var message: String
  /// The text that the author probably meant, as a replacement.
  public var suggestion: String?
  /// The instruction to fix the error.
  public var help: String?

  init(_ code: FlowCode, _ message: String, suggestion: String? = nil, help: String? = nil) {
    self.code = code
    self.message = message
    self.suggestion = suggestion
    self.help = help
  }

  init(_ code: FlowCode, _ message: String, _ error: ValueError) {
    self.init(code, message + error.detailText, suggestion: error.suggestion, help: "write \(error.expected)")
  }
}
