/// The reason why a text is not JSON: the first error and its offset.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the error, in lower case, without a full stop.
  public var message: String
  /// The offset in UTF-8 bytes from the start of the text, from 0.
  public var offset: Int
  /// Whether the text ends before its value is complete, for example because a body was cut.
  public var endsEarly: Bool

  /// Creates an error.
  public init(_ message: String, at offset: Int, endsEarly: Bool = false) {
    self.message = message
    self.offset = offset
    self.endsEarly = endsEarly
  }

  /// `message at byte offset`
  public var description: String { "\(message) at byte \(offset)" }
}
