/// A monotonic clock that measures durations.
public struct Stopwatch: Sendable {
  /// Returns the time since a fixed but unspecified moment; only the difference of two readings has a meaning.
  public let reading: @Sendable () -> Duration

  /// Creates a stopwatch from a function that returns the time.
  public init(_ reading: @escaping @Sendable () -> Duration) { self.reading = reading }

  /// The system's continuous clock.
  public static var continuous: Stopwatch {
    let start = ContinuousClock.now
    return Stopwatch { start.duration(to: ContinuousClock.now) }
  }
}
