/// The error for a text that is not a program of this jq subset.
public struct ReshapeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The offset of the error in UTF-8 bytes, from 0; at most the text's length.
  public var offset: Int
  /// A description of the error, in lower case, without a full stop.
  public var message: String
  /// A possible fix; nil when none is known.
  public var help: String?

  init(_ message: String, at offset: Int, help: String? = nil) {
    self.offset = offset
    self.message = message
    self.help = help
  }

  /// Message, offset and help on one line.
  public var description: String { "\(message) at byte \(offset)" + (help.map { "; \($0)" } ?? "") }
}
