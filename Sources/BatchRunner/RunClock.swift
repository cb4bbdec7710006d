public import ReactorCore

/// Where a run reads durations from, and how it waits for its deadlines.
public struct RunClock: Sendable {
  /// Measures.
  public let stopwatch: Stopwatch
  /// Waits; throws when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// A clock over any source.
  public init(stopwatch: Stopwatch, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.stopwatch = stopwatch
    self.sleep = sleep
  }

  /// The system's clock, in whole microseconds as logs have them: a log that is replayed gives the same state.
  public static var continuous: RunClock {
    let source = Stopwatch.continuous
    let whole = Stopwatch { .microseconds(Int64(source.reading().attoseconds / 1_000_000_000_000)) }
    return RunClock(stopwatch: whole) { try await Task.sleep(for: $0, clock: .continuous) }
  }
}
