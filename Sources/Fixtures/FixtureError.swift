/// Why a fixture cannot be read, written or used.
package struct FixtureError: Error, Sendable, Hashable {
  /// What happened, lower case, no full stop; names the file.
  package let message: String
  /// How to fix it.
  package let help: String?

  /// Says what happened.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
