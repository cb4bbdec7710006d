internal import Synchronization

/// Work that runs once for all tasks that wait for it at the same time.
///
/// A cancelled task stops waiting. When the last waiting task is cancelled, the work is cancelled too, unless it must
/// finish.
package final class SharedWork<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, ReactorError>

  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    /// A counter that numbers each piece of work and each waiting task.
    var count = 0
    /// The work that is running.
    var work: (number: Int, task: Task<Void, Never>)?
    var waiters: [Waiter] = []
  }

  private let mustFinish: Bool
  private let state = Mutex(State())

  /// - Parameter mustFinish: whether the work continues when no task waits for it any more
  package init(mustFinish: Bool = false) { self.mustFinish = mustFinish }

  /// Returns the outcome of the running work; starts the work when none is running.
  package func value(_ work: @escaping @Sendable () async -> Result<Value, ReactorError>) async throws(ReactorError)
    -> Value
  {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(Waiter(number: number, continuation: continuation), for: work)
      }
    } onCancel: {
      leave(number)
    }
    return try outcome.get()
  }

  /// Waits for the running work, if it must finish.
  package func settle() async {
    guard mustFinish, let task = state.withLock({ $0.work?.task }) else { return }
    await task.value
  }

  private func wait(_ waiter: Waiter, for work: @escaping @Sendable () async -> Result<Value, ReactorError>) {
    let isWaiting = state.withLock { state in
      // The check is under the lock, so a later cancellation finds the waiter in the list.
      guard !Task.isCancelled else { return false }
      state.waiters.append(waiter)
      if state.work == nil {
        state.count += 1
        let number = state.count
        state.work = (
          number,
          Task {
            let outcome = await work()
            self.end(number, outcome)
          }
        )
      }
      return true
    }
    if !isWaiting { waiter.continuation.resume(returning: .failure(.cancelled)) }
  }

  private func end(_ number: Int, _ outcome: Outcome) {
    let waiters = state.withLock { state in
      guard state.work?.number == number else { return [Waiter]() }
      state.work = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: outcome) }
  }

  private func leave(_ number: Int) {
    let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return (nil, nil) }
      let waiter = state.waiters.remove(at: index)
      guard state.waiters.isEmpty, !mustFinish else { return (waiter, nil) }
      defer { state.work = nil }
      return (waiter, state.work?.task)
    }
    task?.cancel()
    waiter?.continuation.resume(returning: .failure(.cancelled))
  }
}
