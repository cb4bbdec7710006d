/// Why a text is not a query.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public var message: String
  /// UTF-8 bytes from the start of the query, from 0.
  public var offset: Int

  /// Builds an error.
  public init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// `message at offset n`
  public var description: String { "\(message) at offset \(offset)" }
}
