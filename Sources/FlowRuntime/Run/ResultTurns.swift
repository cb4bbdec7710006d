internal import ReactorCore
internal import Synchronization

/// Lets only one run of an environment at a time write to the target of its result.
///
/// A run has the target of its result to itself from before its first request until the result is saved or discarded.
/// That may be after its fetch has returned. Another run of the environment waits for its turn, in the order of
/// arrival. Runs of other processes are not known here; the locks of the targets exclude them.
final class ResultTurns: Sendable {
  /// The right to write one target. It ends when `end` is called, or when the last reference to it is released.
  final class Turn: Sendable {
    private let turns: ResultTurns
    private let target: String
    private let isOver = Atomic(false)

    fileprivate init(_ turns: ResultTurns, at target: String) {
      self.turns = turns
      self.target = target
    }

    deinit { end() }

    /// Ends the right to write, and lets the next waiting run write to the target.
    func end() {
      if !isOver.exchange(true, ordering: .relaxed) { turns.pass(target) }
    }
  }

  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// The waiting runs, by target. A target has an entry while a run is writing to it.
    var waiting: [String: [Waiter]] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let delay: Delay

  init(delay: Delay) { self.delay = delay }

  /// Waits until this run may write to a target.
  ///
  /// - Parameters:
  ///   - target: the path or the table
  ///   - limit: the longest wait
  /// - Throws: `.persistence` after the limit, `.cancelled` when the task is cancelled
  func take(_ target: String, within limit: Duration) async throws(ReactorError) -> Turn {
    if takeIfFree(target) { return Turn(self, at: target) }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let timer = Task {
      do throws(ReactorError) {
        try await delay.wait(limit)
        leave(number, target)
      } catch {
        // No other run is writing the target, so this run may write now.
      }
    }
    defer { timer.cancel() }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(Waiter(number: number, continuation: continuation), target) }
    } onCancel: {
      leave(number, target)
    }
    if hasTurn { return Turn(self, at: target) }
    try ReactorError.checkCancellation()
    var error = ReactorError.persistence(
      "another fetch of this program is writing \(target), and did not end within the flow's deadline", path: target)
    error.help = "save or release the result of that fetch, or give the flow a longer 'deadline'"
    error.isOtherRun = true
    throw error
  }

  private func takeIfFree(_ target: String) -> Bool {
    state.withLock { state in
      guard state.waiting[target] == nil else { return false }
      state.waiting[target] = []
      return true
    }
  }

  private func wait(_ waiter: Waiter, _ target: String) {
    let hasTurn: Bool? = state.withLock { state in
      // The check is under the lock, so a later cancellation finds the waiter in the list.
      if Task.isCancelled { return false }
      guard state.waiting[target] != nil else {
        state.waiting[target] = []
        return true
      }
      state.waiting[target]?.append(waiter)
      return nil
    }
    if let hasTurn { waiter.continuation.resume(returning: hasTurn) }
  }

  private func leave(_ number: Int, _ target: String) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting[target]?.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting[target]?.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func pass(_ target: String) {
    let next = state.withLock { state -> Waiter? in
      guard let waiting = state.waiting[target], !waiting.isEmpty else {
        state.waiting[target] = nil
        return nil
      }
      return state.waiting[target]?.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}
