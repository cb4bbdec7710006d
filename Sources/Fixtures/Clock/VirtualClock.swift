internal import Synchronization

/// The clock of one flow's replay. Its time changes only by waits.
///
/// A wait ends at once, advances the clock and is recorded. A flow finds its clock in the task-local `current`,
/// because the flows of one run share all other objects.
package final class VirtualClock: Sendable {
  /// The clock of the flow that runs in the current task. Nil outside a replay.
  @TaskLocal package static var current: VirtualClock?

  private struct State {
    var passed = Duration.zero
    var waits: [Duration] = []
  }

  /// The start time as the duration since 1970-01-01T00:00:00Z.
  private let start: Duration
  private let state = Mutex(State())

  /// Creates a clock that begins at a given time.
  package init(start: Duration) { self.start = start }

  /// The duration of all waits so far.
  package var passed: Duration { state.withLock { $0.passed } }

  /// The current time of the clock, as the duration since 1970-01-01T00:00:00Z.
  package var sinceEpoch: Duration { start + passed }

  /// Records a wait and advances the clock by its duration.
  package func wait(_ duration: Duration) {
    state.withLock { state in
      state.waits.append(duration)
      if duration > .zero { state.passed += duration }
    }
  }

  /// The waits so far, in order.
  package var waits: [Duration] { state.withLock { $0.waits } }
}
