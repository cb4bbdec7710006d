import ReactorCore
import Synchronization

/// The delay of a simulated process, in which its renewal waits. It ends with the process, and stops while that is stopped.
final class Pulse: Sendable {
  private enum Phase {
    /// The renewal has not begun to wait, and is not counted by the clock.
    case new
    case waiting
    /// The clock counts the renewal as active.
    case active
    case over
  }

  private let clock: VirtualClock
  private let state = Mutex((phase: Phase.new, stoppedUntil: Duration.zero))

  init(_ clock: VirtualClock) { self.clock = clock }

  var delay: Delay { Delay { (duration) async throws(ReactorError) in try await self.wait(duration) } }

  /// Stops the process for a time: its renewal does nothing before.
  func stop(until time: Duration) { state.withLock { $0.stoppedUntil = time } }

  /// Ends the process without a word.
  func end() {
    let isActive = state.withLock { state in
      defer { state.phase = .over }
      return state.phase == .active
    }
    if isActive { clock.release() }
  }

  private func wait(_ duration: Duration) async throws(ReactorError) {
    let before = state.withLock { state in
      let before = state.phase
      if before != .over { state.phase = .waiting }
      return before
    }
    guard before != .over else { throw .cancelled }
    try await clock.wait(duration, isActive: before == .active)
    while true {
      let rest = state.withLock { $0.phase == .over ? .zero : max($0.stoppedUntil - clock.now, .zero) }
      guard rest > .zero else { break }
      try await clock.wait(rest)
    }
    let isOver = state.withLock { state in
      if state.phase != .over { state.phase = .active }
      return state.phase == .over
    }
    if isOver {
      clock.release()
      throw .cancelled
    }
  }
}
