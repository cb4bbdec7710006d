/// The error for a text that is not a value of a setting.
package struct SettingError: Error, Sendable {
  /// The code of the diagnostic.
  package var code: FlowCode
  /// The description of the error: lower case, no full stop.
  package var message: String
  /// The text that the author probably meant, as a replacement.
  package var suggestion: String?
  /// The instruction to fix the error.
  package var help: String?

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
