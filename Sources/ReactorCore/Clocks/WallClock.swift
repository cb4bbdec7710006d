#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The clock for dates, such as the age of persisted results.
public struct WallClock: Sendable {
  /// Returns the time since 1970-01-01T00:00:00Z, in the years 0 to 9998.
  ///
  /// The clock of a machine may be set to any time. Within these bounds every time has a date, and a year can be added
  /// to it.
  public let sinceEpoch: @Sendable () -> Duration

  private static let bounds = (first: Duration.seconds(-62_167_219_200), last: Duration.seconds(253_370_764_799))

  /// Creates a clock from a function that returns the time. A time outside of the bounds becomes the nearer bound.
  public init(_ sinceEpoch: @escaping @Sendable () -> Duration) {
    self.sinceEpoch = { min(max(sinceEpoch(), Self.bounds.first), Self.bounds.last) }
  }

  /// The system's clock.
  public static var system: WallClock {
    WallClock {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
  }

  /// The age of something in milliseconds, by the time at which it was written in milliseconds since 1970.
  ///
  /// That time is read from a file and may be any number, so an age that would overflow becomes the largest or smallest
  /// integer. It is negative for a time in the future.
  public func milliseconds(since written: Int64) -> Int64 {
    let (age, isTooLarge) = milliseconds.subtractingReportingOverflow(written)
    return isTooLarge ? (written < 0 ? .max : .min) : age
  }

  /// Milliseconds since 1970 UTC.
  public var milliseconds: Int64 {
    let (seconds, attoseconds) = sinceEpoch().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
