/// Why a text is not a value of the declared type.
public struct ValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected, as a noun phrase: `an integer`.
  public var expected: String
  /// What is wrong with this text beyond that, if there is more to say.
  public var detail: String?
  /// What probably was meant, to be put in place of the text.
  public var suggestion: String?

  /// Builds an error.
  public init(expected: String, detail: String? = nil, suggestion: String? = nil) {
    self.expected = expected
    self.detail = detail
    self.suggestion = suggestion
  }

  /// `expected …`, with the detail.
  public var description: String { "expected \(expected)" + (detail.map { ": \($0)" } ?? "") }
}
