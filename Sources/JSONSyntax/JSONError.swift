/// Why a text is not JSON: the first error and its offset.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public var message: String
  /// UTF-8 bytes from the start of the text, from 0.
  public var offset: Int

  /// Builds an error.
  public init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// `message at byte offset`
  public var description: String { "\(message) at byte \(offset)" }
}
