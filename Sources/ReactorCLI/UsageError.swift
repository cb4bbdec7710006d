/// A mistake on the command line or in an environment variable that stands for a flag.
package struct UsageError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package let message: String
  /// How to fix it.
  package let help: String?

  /// Describes a mistake.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
