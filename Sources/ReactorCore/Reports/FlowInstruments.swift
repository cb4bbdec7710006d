/// The clocks that a flow reads, and the observer of its events.
///
/// The defaults are the system's clocks and an observer that does nothing.
public struct FlowInstruments: Sendable {
  /// The clock that measures the steps.
  public var stopwatch: Stopwatch
  /// The clock for the dates of persisted results.
  public var wallClock: WallClock
  /// The function that is called with each event.
  public var observer: FlowObserver

  /// Builds a set of instruments.
  public init(
    stopwatch: Stopwatch = .continuous, wallClock: WallClock = .system,
    observer: @escaping FlowObserver = { _ in }
  ) {
    self.stopwatch = stopwatch
    self.wallClock = wallClock
    self.observer = observer
  }

  /// Reports the start of a step and returns the stopwatch's reading.
  package func start(_ step: FlowStep) -> Duration {
    observer(.started(step))
    return stopwatch.reading()
  }

  /// Reports the end of a step and returns its duration.
  package func finish(_ step: FlowStep, since start: Duration) -> Duration {
    let duration = stopwatch.reading() - start
    observer(.finished(step, duration))
    return duration
  }
}
