public import ReactorCore

internal import Synchronization

/// Time that only passes when a test says so.
public final class ManualClock: Sendable {
  private let time: Mutex<Duration>

  /// A clock that stands at a time since 1970.
  public init(at time: Duration = .seconds(1_700_000_000)) { self.time = Mutex(time) }

  /// The time since 1970.
  public var now: Duration { time.withLock { $0 } }

  /// Lets time pass; a negative duration sets the clock back.
  public func advance(by duration: Duration) { time.withLock { $0 += duration } }

  /// As a clock for dates.
  public var wallClock: WallClock { WallClock { self.now } }

  /// As a stopwatch.
  public var stopwatch: Stopwatch { Stopwatch { self.now } }
}
