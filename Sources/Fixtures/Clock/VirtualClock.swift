internal import Synchronization

/// The time of one flow's replay: it stands still but for the waits, which pass at once and are written down.
///
/// A flow finds its own by the task it runs in, because flows of one run share everything else.
package final class VirtualClock: Sendable {
  /// The clock of the flow whose task this is; nil outside of a replay.
  @TaskLocal package static var current: VirtualClock?

  private struct State {
    var passed = Duration.zero
    var waits: [Duration] = []
  }

  /// Since 1970-01-01T00:00:00Z.
  private let start: Duration
  private let state = Mutex(State())

  /// A clock that begins at a moment.
  package init(start: Duration) { self.start = start }

  /// Time since the start.
  package var passed: Duration { state.withLock { $0.passed } }

  /// The time of day, since 1970.
  package var sinceEpoch: Duration { start + passed }

  /// Lets time pass.
  package func wait(_ duration: Duration) {
    state.withLock { state in
      state.waits.append(duration)
      if duration > .zero { state.passed += duration }
    }
  }

  /// The waits so far, in order.
  package var waits: [Duration] { state.withLock { $0.waits } }
}
