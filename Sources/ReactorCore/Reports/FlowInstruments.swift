/// The clocks a flow reads and the observer it tells; the system's clocks and nobody unless given.
public struct FlowInstruments: Sendable {
  /// Measures the steps.
  public var stopwatch: Stopwatch
  /// Dates persisted results.
  public var wallClock: WallClock
  /// Is told what happens.
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

  /// Tells of a step's start and gives the moment.
  func start(_ step: FlowStep) -> Duration {
    observer(.started(step))
    return stopwatch.reading()
  }

  /// Tells of a step's end and gives its duration.
  func finish(_ step: FlowStep, since start: Duration) -> Duration {
    let duration = stopwatch.reading() - start
    observer(.finished(step, duration))
    return duration
  }
}
