/// A query parameter or a header of a drafted request.
package struct DraftParameter: Sendable, Hashable {
  /// The name that the server expects.
  package var name: String
  /// The value that is sent.
  package var value: DraftText

  /// Creates a parameter.
  package init(_ name: String, _ value: DraftText) {
    self.name = name
    self.value = value
  }
}
