/// A clock for durations, which only goes forward.
public struct Stopwatch: Sendable {
  /// Time since some fixed moment.
  public let reading: @Sendable () -> Duration

  /// A stopwatch over any reading.
  public init(_ reading: @escaping @Sendable () -> Duration) { self.reading = reading }

  /// The system's continuous clock.
  public static var continuous: Stopwatch {
    let start = ContinuousClock.now
    return Stopwatch { start.duration(to: ContinuousClock.now) }
  }
}
