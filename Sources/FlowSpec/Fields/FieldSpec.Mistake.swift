extension FieldSpec {
  /// A wrong use of a key: documentation and test in one.
  public struct Mistake: Sendable {
    /// The text, as it stands inside the construct.
    public let text: String
    /// Where the diagnostic points, in UTF-8 bytes from the start of the text.
    public let offset: Int
    /// The diagnostic it gives.
    public let code: FlowCode

    /// Takes a text in which `↓` stands where the diagnostic points.
    init(_ marked: String, _ code: FlowCode) {
      let parts = marked.split(separator: "↓", maxSplits: 1, omittingEmptySubsequences: false)
      self.text = parts.joined()
      self.offset = parts.first?.utf8.count ?? 0
      self.code = code
    }
  }
}
