/// A template's text after its names were replaced, and whether a secret is in it.
public struct ResolvedText: Sendable, Hashable {
  /// The text; goes to its destination as it is and is never read for templates again.
  public let text: String
  /// Whether a secret is in it, so that it must not be shown.
  public let isSecret: Bool

  /// Builds a resolved text.
  public init(text: String, isSecret: Bool) {
    self.text = text
    self.isSecret = isSecret
  }
}

extension ResolvedText: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text, or a mask in its place.
  public var description: String { isSecret ? Secret.mask : text }
  /// The same.
  public var debugDescription: String { description }
}

extension ResolvedText: CustomReflectable {
  /// Shows nothing but the description.
  public var customMirror: Mirror { Mirror(self, children: ["text": description]) }
}
