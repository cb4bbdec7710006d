internal import FlowModel
internal import ReactorCore
internal import Synchronization

/// The turns of the runs of one environment at the places of their results.
///
/// A run has the place of its result from before its first request until the result is saved or given up, which may be
/// after its fetch has returned. Another run of the environment waits for its turn, in the order of arrival. Runs of
/// other processes are not known here; the locks of the places exclude them.
final class ResultTurns: Sendable {
  /// The right to write one place. It ends with `end`, or with its last reference.
  final class Turn: Sendable {
    private let turns: ResultTurns
    private let path: String
    private let isOver = Atomic(false)

    fileprivate init(_ turns: ResultTurns, at path: String) {
      self.turns = turns
      self.path = path
    }

    deinit { end() }

    /// Lets the next run have the place.
    func end() {
      if !isOver.exchange(true, ordering: .relaxed) { turns.pass(path) }
    }
  }

  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// The runs that wait for each place that is taken.
    var waiting: [String: [Waiter]] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let delay: Delay

  init(delay: Delay) { self.delay = delay }

  /// Waits for the turn at a place.
  ///
  /// - Parameters:
  ///   - path: the path of the file, or the table
  ///   - limit: the longest wait
  /// - Throws: `.persistence` after the limit, `.cancelled` when the task is cancelled
  func take(_ path: String, within limit: Duration) async throws(ReactorError) -> Turn {
    if takeIfFree(path) { return Turn(self, at: path) }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let timer = Task {
      do throws(ReactorError) {
        try await delay.wait(limit)
        leave(number, path)
      } catch {
        // The turn has come.
      }
    }
    defer { timer.cancel() }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(Waiter(number: number, continuation: continuation), path) }
    } onCancel: {
      leave(number, path)
    }
    if hasTurn { return Turn(self, at: path) }
    try ReactorError.checkCancellation()
    var error = ReactorError.persistence(
      "another fetch of this program is writing \(path), and did not end within the flow's time", path: path)
    error.help = "save or release the result of that fetch, or give the flow a longer 'deadline'"
    error.isOtherRun = true
    throw error
  }

  private func takeIfFree(_ path: String) -> Bool {
    state.withLock { state in
      guard state.waiting[path] == nil else { return false }
      state.waiting[path] = []
      return true
    }
  }

  private func wait(_ waiter: Waiter, _ path: String) {
    let hasTurn: Bool? = state.withLock { state in
      // The check is under the lock, so a later cancellation finds the waiter in the list.
      if Task.isCancelled { return false }
      guard state.waiting[path] != nil else {
        state.waiting[path] = []
        return true
      }
      state.waiting[path]?.append(waiter)
      return nil
    }
    if let hasTurn { waiter.continuation.resume(returning: hasTurn) }
  }

  private func leave(_ number: Int, _ path: String) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting[path]?.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting[path]?.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func pass(_ path: String) {
    let next = state.withLock { state -> Waiter? in
      guard let waiting = state.waiting[path], !waiting.isEmpty else {
        state.waiting[path] = nil
        return nil
      }
      return state.waiting[path]?.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}
