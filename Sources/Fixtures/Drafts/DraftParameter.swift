/// A query parameter or a header of a drafted request.
package struct DraftParameter: Sendable, Hashable {
  /// As the server knows it.
  package var name: String
  /// What is sent.
  package var value: DraftText

  /// Builds one.
  package init(_ name: String, _ value: DraftText) {
    self.name = name
    self.value = value
  }
}
