/// Why a text is not a program of this jq subset.
public struct ReshapeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where, in UTF-8 bytes from 0; at most the text's length.
  public var offset: Int
  /// What is wrong, lower case, no full stop.
  public var message: String
  /// What to do about it, nil where nothing is known.
  public var help: String?

  init(_ message: String, at offset: Int, help: String? = nil) {
    self.offset = offset
    self.message = message
    self.help = help
  }

  /// Message, offset and help on one line.
  public var description: String { "\(message) at byte \(offset)" + (help.map { "; \($0)" } ?? "") }
}
