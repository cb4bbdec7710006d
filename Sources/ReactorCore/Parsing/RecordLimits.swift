/// Bounds on reading a response.
public struct RecordLimits: Sendable, Hashable {
  /// Bytes of one record, of the part of a response around the records, or of a response that cannot be streamed: 32
  /// MiB.
  public var heldBytes = 32 << 20
  /// Bytes that are gathered before they are read: 256 KiB.
  public var windowBytes = 256 << 10

  /// The defaults.
  public init() {}

  /// Limits for reading each chunk at once, for records that a reader waits for.
  public static var prompt: RecordLimits {
    var limits = RecordLimits()
    limits.windowBytes = 1
    return limits
  }
}
