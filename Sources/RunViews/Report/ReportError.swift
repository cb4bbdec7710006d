/// Why a report cannot be read, or cannot be joined with others.
package struct ReportError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  package let message: String

  /// Says why.
  package init(message: String) { self.message = message }
}
