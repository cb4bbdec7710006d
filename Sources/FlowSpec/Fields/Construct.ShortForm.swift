extension Construct {
  /// A value that stands for the whole mapping.
  public struct ShortForm: Sendable {
    /// What the value is.
    public let kind: ValueKind
    /// Words with a meaning of their own.
    public let words: [String]
    /// One line: what it stands for.
    public let summary: String
    /// Right uses: values only.
    public let examples: [String]

    /// Describes a short form.
    init(_ kind: ValueKind, words: [String] = [], _ summary: String, examples: [String]) {
      self.kind = kind
      self.words = words
      self.summary = summary
      self.examples = examples
    }
  }
}
