internal import Synchronization

/// Limits the requests of one run to one host, shared by its flows.
///
/// The budget has the start times of the requests, the number of requests without a response, and the time until which
/// the host wants no requests. The pace of each flow is compared with these values. Requests with the same limits start
/// in the order of their calls. A request that waits for a limit reserves its start time, and is compared again when it
/// starts, so a window has no more starts than its limit even if timers are late.
public final class RateBudget: Sendable {
  private let stopwatch: Stopwatch
  private let delay: Delay
  /// The host, for the limits of all processes.
  private let host: String
  /// Limits the requests of all processes; nil when this process alone sends requests.
  private let shared: (any SharedPace)?
  private let state = Mutex(State())

  /// Creates a budget without past requests.
  ///
  /// - Parameters:
  ///   - host: the host, for the limits of all processes
  ///   - shared: limits the requests of all processes
  public init(
    of host: String = "", stopwatch: Stopwatch = .continuous, delay: Delay = .real, shared: (any SharedPace)? = nil
  ) {
    self.host = host
    self.shared = shared
    self.stopwatch = stopwatch
    self.delay = delay
  }

  /// Waits until a request may be sent.
  ///
  /// The caller must call `leave` when the response has begun or the request has failed.
  ///
  /// - Parameters:
  ///   - pace: the pace of the flow that sends the request
  ///   - budgets: the budgets of the pace that count this request
  ///   - deadline: a reading of the stopwatch; a wait that would exceed it fails at once
  ///   - waiting: called with each wait of a second or longer
  public func enter(
    _ pace: RatePace, drawingOn budgets: [RatePace.Budget] = [], deadline: Duration? = nil,
    waiting: (Duration) -> Void = { _ in }
  ) async throws(ReactorError) {
    if let limit = pace.concurrency { try await queueUp(limit) } else { state.withLock { $0.open += 1 } }
    do throws(ReactorError) {
      try await waitForTurn(pace.limits, budgets, deadline, waiting)
      if let shared { try await waitForOthers(shared, pace, budgets, deadline, waiting) }
    } catch {
      leave()
      throw error
    }
  }

  /// Waits until the limits hold over all processes too.
  private func waitForOthers(
    _ shared: any SharedPace, _ pace: RatePace, _ budgets: [RatePace.Budget], _ deadline: Duration?,
    _ waiting: (Duration) -> Void
  ) async throws(ReactorError) {
    // Each response takes time, so the waits are compared as readings.
    var start = stopwatch.reading()
    func reserve(_ budget: String, _ limit: RatePace.Limit) async throws(ReactorError) {
      let wait = try await shared.wait(of: budget, within: limit)
      start = max(start, stopwatch.reading() + wait)
    }
    for limit in pace.limits { try await reserve(host, limit) }
    for budget in budgets {
      let name = "\(host) \(budget.requests.words)"
      for limit in budget.limits { try await reserve(name, limit) }
    }
    let wait = start - stopwatch.reading()
    if let deadline, start > deadline { throw Self.tooLate(wait, isHeld: false) }
    if wait >= .seconds(1) { waiting(wait) }
    if wait > .zero { try await delay.wait(wait) }
    if let limit = pace.concurrency { try await shared.enter(host, atMost: limit) }
  }

  /// Ends a request that `enter` has let through, so that the next one in the queue may start.
  ///
  /// - Parameter pace: the pace with which the request entered
  public func leave(_ pace: RatePace) {
    if let shared, let limit = pace.concurrency {
      let host = host
      Task { await shared.leave(host, atMost: limit) }
    }
    leave()
  }

  private func leave() {
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

  /// The number of start times in memory.
  var retainedStarts: Int { state.withLock { $0.retained } }

  // MARK: - Time

  private func waitForTurn(
    _ limits: [RatePace.Limit], _ budgets: [RatePace.Budget], _ deadline: Duration?, _ waiting: (Duration) -> Void
  ) async throws(ReactorError) {
    let ticket = state.withLock { $0.newTurn() }
    do throws(ReactorError) {
      // After a wait, the host may have requested more time, or an earlier request may have started late.
      while true {
        let (now, turn) = state.withLock { state in
          let now = stopwatch.reading()
          return (now, state.turn(ticket, limits, budgets, now: now))
        }
        guard case .later(let start, let isHeld) = turn else { return }
        let wait = start - now
        if let deadline, start > deadline { throw Self.tooLate(wait, isHeld: isHeld) }
        if wait >= .seconds(1) { waiting(wait) }
        try await delay.wait(wait)
      }
    } catch {
      state.withLock { $0.giveBack(ticket) }
      throw error
    }
  }

  private static func tooLate(_ wait: Duration, isHeld: Bool) -> ReactorError {
    .pastDeadline(
      "\(isHeld ? "the server's rate limit asks for" : "'http.rate' requires") a wait of \(wait.inSeconds), which")
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
        // This request may have blocked other requests in the queue.
        return (waiting, state.takeReady())
      }
      waiting?.resume(returning: false)
      for next in ready { next.resume(returning: true) }
    }
    state.withLock { _ = $0.givenUp.remove(ticket) }
    guard isIn else { throw .cancelled }
  }
}
