internal import Synchronization

/// Tells the flows of a run when the run ends. A flow that can publish partial results begins no work that would end
/// later.
///
/// A run ends at its time limit, or after a signal.
public final class RunEnd: Sendable {
  private let reading: Mutex<Duration?> = Mutex(nil)

  /// Creates a value for a run whose end is not set yet.
  public init() {}

  /// Sets the end to a reading of the run's stopwatch, unless an earlier end is already set.
  public func come(at reading: Duration) {
    self.reading.withLock { $0 = min($0 ?? reading, reading) }
  }

  /// Whether the run ends before a reading of its stopwatch.
  public func precedes(_ reading: Duration) -> Bool {
    self.reading.withLock { end in end.map { $0 < reading } ?? false }
  }
}
