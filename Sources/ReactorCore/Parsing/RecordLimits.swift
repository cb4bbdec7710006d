/// Size limits for reading a response.
public struct RecordLimits: Sendable, Hashable {
  /// The maximum number of bytes that are held in memory: 32 MiB.
  ///
  /// It applies to one record, to the text around the records, and to a response that cannot be streamed.
  public var heldBytes = 32 << 20
  /// The number of bytes that are collected before they are parsed: 256 KiB.
  public var windowBytes = 256 << 10

  /// Creates the default limits.
  public init() {}

  /// Limits with which each chunk is parsed as soon as it arrives, for readers that need each record without delay.
  public static var prompt: RecordLimits {
    var limits = RecordLimits()
    limits.windowBytes = 1
    return limits
  }
}
