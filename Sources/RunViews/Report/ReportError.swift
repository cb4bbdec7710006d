/// The reason why a report cannot be read or joined.
package struct ReportError: Error, Sendable, Hashable {
  /// The description of the error: in lower case, without a full stop.
  package let message: String

  /// Creates an error with a message.
  package init(message: String) { self.message = message }
}
