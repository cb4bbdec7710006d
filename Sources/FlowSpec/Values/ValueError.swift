/// Why a text is not a value of the declared type.
public struct ValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected, as a noun phrase: `an integer`.
  public var expected: String
  /// More about what is wrong with this text, if known.
  public var detail: String?
  /// A text that is probably meant, to replace the given one.
  public var suggestion: String?

  /// Builds an error.
  public init(expected: String, detail: String? = nil, suggestion: String? = nil) {
    self.expected = expected
    self.detail = detail
    self.suggestion = suggestion
  }

  /// The detail behind a colon, if any.
  var detailText: String { detail.map { ": \($0)" } ?? "" }

  /// `expected …`, with the detail.
  public var description: String { "expected \(expected)\(detailText)" }
}

/// What is wrong with a URL or a path, where, and how to fix it.
public struct URLSyntaxError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  public var message: String
  /// UTF-8 bytes from the start of the text.
  public var offset: Int
  /// How to fix it.
  public var help: String?

  init(_ message: String, at offset: Int = 0, help: String? = nil) {
    self.message = message
    self.offset = offset
    self.help = help
  }
}
