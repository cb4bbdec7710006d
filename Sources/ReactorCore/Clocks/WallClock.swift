#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The clock for dates, such as the age of persisted results.
public struct WallClock: Sendable {
  /// Returns the time since 1970-01-01T00:00:00Z.
  public let sinceEpoch: @Sendable () -> Duration

  /// Creates a clock from a function that returns the time.
  public init(_ sinceEpoch: @escaping @Sendable () -> Duration) { self.sinceEpoch = sinceEpoch }

  /// The system's clock.
  public static var system: WallClock {
    WallClock {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
  }

  /// Milliseconds since 1970 UTC.
  public var milliseconds: Int64 {
    let (seconds, attoseconds) = sinceEpoch().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
