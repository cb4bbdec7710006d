/// The error for a text that is not a value of the declared type.
package struct ValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The expected value, as a noun phrase: `an integer`.
  package var expected: String
  /// More details about the error in this text, if known.
  package var detail: String?
  /// The text that the author probably meant, as a replacement.
  package var suggestion: String?

  /// Builds an error.
  package init(expected: String, detail: String? = nil, suggestion: String? = nil) {
    self.expected = expected
    self.detail = detail
    self.suggestion = suggestion
  }

  /// A colon and the detail; empty without a detail.
  var detailText: String { detail.map { ": \($0)" } ?? "" }

  /// The message: `expected …`, with the detail.
  package var description: String { "expected \(expected)\(detailText)" }
}

/// The error in a URL or a path, with its position and how to fix it.
package struct URLSyntaxError: Error, Sendable, Hashable {
  /// The description of the error: lower case, no full stop.
  package var message: String
  /// The position of the error, in UTF-8 bytes from the start of the text.
  package var offset: Int
  /// The instruction to fix the error, if any.
  package var help: String?

  init(_ message: String, at offset: Int = 0, help: String? = nil) {
    self.message = message
    self.offset = offset
    self.help = help
  }
}
