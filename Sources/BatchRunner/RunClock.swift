public import ReactorCore

/// The clock of a run: it measures durations and waits for deadlines.
public struct RunClock: Sendable {
  /// The stopwatch that measures durations.
  public let stopwatch: Stopwatch
  /// Waits for a duration; throws when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a clock from a stopwatch and a function that waits.
  public init(stopwatch: Stopwatch, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.stopwatch = stopwatch
    self.sleep = sleep
  }

  /// The system's clock in whole microseconds, the unit of the logs. A replayed log therefore produces the same state.
  public static var continuous: RunClock {
    let source = Stopwatch.continuous
    let whole = Stopwatch { .microseconds(Int64(source.reading().attoseconds / 1_000_000_000_000)) }
    return RunClock(stopwatch: whole) { try await Task.sleep(for: $0, clock: .continuous) }
  }
}
