/// The reason why a text is not JSON: the first error and its offset.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the error, in lower case, without a full stop.
  public var message: String
  /// The zero-based offset of the error in UTF-8 bytes from the start of the text.
  public var offset: Int
  /// Whether the text ends before its value is complete, for example because a response body was truncated.
  public var endsEarly: Bool

  /// Creates an error.
  public init(_ message: String, at offset: Int, endsEarly: Bool = false) {
    self.message = message
    self.offset = offset
    self.endsEarly = endsEarly
  }

  /// The message with the offset, as in `not JSON at byte 0`.
  public var description: String { "\(message) at byte \(offset)" }
}
