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
    private let place: String
    private let isOver = Atomic(false)

    fileprivate init(_ turns: ResultTurns, at place: String) {
      self.turns = turns
      self.place = place
    }

    deinit { end() }

    /// Lets the next run have the place.
    func end() {
      if !isOver.exchange(true, ordering: .relaxed) { turns.pass(place) }
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
  ///   - place: the path or the table
  ///   - limit: the longest wait
  /// - Throws: `.persistence` after the limit, `.cancelled` when the task is cancelled
  func take(_ place: String, within limit: Duration) async throws(ReactorError) -> Turn {
    if takeIfFree(place) { return Turn(self, at: place) }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let timer = Task {
      do throws(ReactorError) {
        try await delay.wait(limit)
        leave(number, place)
      } catch {
        // The turn has come.
      }
    }
    defer { timer.cancel() }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(Waiter(number: number, continuation: continuation), place) }
    } onCancel: {
      leave(number, place)
    }
    if hasTurn { return Turn(self, at: place) }
    try ReactorError.checkCancellation()
    var error = ReactorError.persistence(
      "another fetch of this program is writing \(place), and did not end within the flow's time", path: place)
    error.help = "save or release the result of that fetch, or give the flow a longer 'deadline'"
    error.isOtherRun = true
    throw error
  }

  private func takeIfFree(_ place: String) -> Bool {
    state.withLock { state in
      guard state.waiting[place] == nil else { return false }
      state.waiting[place] = []
      return true
    }
  }

  private func wait(_ waiter: Waiter, _ place: String) {
    let hasTurn: Bool? = state.withLock { state in
      // The check is under the lock, so a later cancellation finds the waiter in the list.
      if Task.isCancelled { return false }
      guard state.waiting[place] != nil else {
        state.waiting[place] = []
        return true
      }
      state.waiting[place]?.append(waiter)
      return nil
    }
    if let hasTurn { waiter.continuation.resume(returning: hasTurn) }
  }

  private func leave(_ number: Int, _ place: String) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting[place]?.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting[place]?.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func pass(_ place: String) {
    let next = state.withLock { state -> Waiter? in
      guard let waiting = state.waiting[place], !waiting.isEmpty else {
        state.waiting[place] = nil
        return nil
      }
      return state.waiting[place]?.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}

extension DeclaredFlow {
  /// Waits until no other run of this environment has the place of the result; nil where runs need no turn.
  ///
  /// A table needs one only among fetches, whose saves may be pending: a run that pulls does not keep others from loading
  /// it, and the load finds out.
  func turn() async throws(ReactorError) -> ResultTurns.Turn? {
    guard let place = plan.result.target?.text ?? plan.result.rejected?.text else { return nil }
    if plan.result.target?.table != nil, !isDetached { return nil }
    return try await environment.turns.take(place, within: .seconds(plan.timeout))
  }
}
