internal import Synchronization

/// Limits the requests of one run to one host, shared by its flows.
///
/// It knows when requests began, how many wait for their response, and until when the host asks to wait; each flow's
/// pace is compared with that. Requests pass in the order of their calls.
public final class RateBudget: Sendable {
  private let stopwatch: Stopwatch
  private let delay: Delay
  private let state = Mutex(State())

  /// A budget without any history.
  public init(stopwatch: Stopwatch = .continuous, delay: Delay = .real) {
    self.stopwatch = stopwatch
    self.delay = delay
  }

  /// Waits until a request may be sent. `leave` must follow once its response has begun or it has failed.
  ///
  /// - Parameters:
  ///   - pace: of the flow that asks
  ///   - deadline: a reading of the stopwatch; a wait that would pass it fails at once
  ///   - waiting: called with each wait of a second or more
  public func enter(
    _ pace: RatePace, deadline: Duration? = nil, waiting: (Duration) -> Void = { _ in }
  ) async throws(ReactorError) {
    if let limit = pace.concurrency { try await queueUp(limit) } else { state.withLock { $0.open += 1 } }
    do throws(ReactorError) {
      try await waitForTurn(pace, deadline, waiting)
    } catch {
      leave()
      throw error
    }
  }

  /// Ends a request, so the next one in the queue may begin.
  public func leave() {
    let ready = state.withLock { state in
      state.open -= 1
      return state.takeReady()
    }
    for next in ready { next.resume(returning: true) }
  }

  /// Delays all requests to the host for a time.
  public func hold(for wait: Duration) {
    let end = stopwatch.reading() + wait
    state.withLock { $0.heldUntil = max($0.heldUntil ?? end, end) }
  }

  // MARK: - Time

  private func waitForTurn(
    _ pace: RatePace, _ deadline: Duration?, _ waiting: (Duration) -> Void
  ) async throws(ReactorError) {
    while true {
      let now = stopwatch.reading()
      let (start, isHeld) = state.withLock { $0.turn(pace.limit, now: now) }
      guard start > now else { return }
      if let deadline, start > deadline {
        state.withLock { $0.giveBack(start) }
        let wait = (start - now).inSeconds
        throw ReactorError(
          .timeout,
          isHeld
            ? "the server's rate limit asks for a wait of \(wait), which would pass the flow's deadline"
            : "keeping to 'http.rate' takes a wait of \(wait), which would pass the flow's deadline")
      }
      if start - now >= .seconds(1) { waiting(start - now) }
      try await delay.wait(start - now)
      // Meanwhile the host may have asked for more time.
      let after = stopwatch.reading()
      guard state.withLock({ $0.isHeld(at: after) }) else { return }
    }
  }

  // MARK: - Queue

  private func queueUp(_ limit: Int) async throws(ReactorError) {
    let ticket = state.withLock { state -> Int? in
      if state.open < limit, state.queue.isEmpty {
        state.open += 1
        return nil
      }
      state.nextTicket += 1
      return state.nextTicket
    }
    guard let ticket else { return }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isIn = state.withLock { state -> Bool? in
          if state.givenUp.remove(ticket) != nil { return false }
          if state.open < limit, state.queue.isEmpty {
            state.open += 1
            return true
          }
          state.queue.append((ticket, limit, continuation))
          return nil
        }
        if let isIn { continuation.resume(returning: isIn) }
      }
    } onCancel: {
      let (waiting, ready) = state.withLock {
        state -> (CheckedContinuation<Bool, Never>?, [CheckedContinuation<Bool, Never>]) in
        guard let index = state.queue.firstIndex(where: { $0.ticket == ticket }) else {
          state.givenUp.insert(ticket)
          return (nil, [])
        }
        let waiting = state.queue.remove(at: index).continuation
        // It may have stood in the way of others.
        return (waiting, state.takeReady())
      }
      waiting?.resume(returning: false)
      for next in ready { next.resume(returning: true) }
    }
    state.withLock { _ = $0.givenUp.remove(ticket) }
    guard isIn else { throw .cancelled }
  }
}
