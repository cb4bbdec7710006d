/// The error when a fixture cannot be read, written or used.
package struct FixtureError: Error, Sendable, Hashable {
  /// The error message, in lower case and without a full stop. It names the file.
  package let message: String
  /// The advice on how to fix the error; nil when there is none.
  package let help: String?

  /// Creates an error.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
