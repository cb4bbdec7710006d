/// What is wrong with a URL, where, and how to fix it.
public struct URLSyntaxError: Error, Sendable, Hashable {
  /// Lower case, no full stop.
  public var message: String
  /// UTF-8 bytes from the start of the text.
  public var offset: Int
  /// How to fix it.
  public var help: String?

  /// Builds a fault.
  init(_ message: String, at offset: Int = 0, help: String? = nil) {
    self.message = message
    self.offset = offset
    self.help = help
  }
}
