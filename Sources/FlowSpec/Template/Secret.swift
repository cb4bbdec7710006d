/// A text that never shows itself: printing, interpolating, dumping and reflecting give a mask.
public struct Secret: Sendable, Hashable {
  /// What is shown in place of a secret.
  public static let mask = "***"

  private let value: String

  /// Takes a secret.
  public init(_ value: String) { self.value = value }

  /// The text itself, for the one place that sends it.
  public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The mask.
  public var description: String { Self.mask }
  /// The mask.
  public var debugDescription: String { Self.mask }
  /// Nothing inside.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
