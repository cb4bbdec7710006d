internal import Synchronization

/// A gate that tasks wait at until it is opened once and for all, or until they are cancelled.
public final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var next = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// A closed gate.
  public init() {}

  /// Lets everybody through, now and later.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Returns when the gate is open or the task is cancelled.
  public func wait() async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = state.withLock { state in
          // A cancellation that came first finds nobody to resume; it is seen here instead.
          if state.isOpen || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
