extension RateBudget {
  /// The start times of the requests to a host, and the queue.
  struct State {
    /// The start times of past and reserved requests, in order. They are retained for the longest window of a limit.
    var starts: [Duration] = []
    var longestWindow = Duration.zero
    var heldUntil: Duration?
    var open = 0
    var nextTicket = 0
    var queue: [(ticket: Int, limit: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// The tickets of requests that were cancelled before they joined the queue.
    var givenUp: Set<Int> = []

    /// Reserves the next start time that a limit allows. Also returns whether the host's hold determines this time.
    mutating func turn(_ limit: RatePace.Limit?, now: Duration) -> (start: Duration, isHeld: Bool) {
      let held = heldUntil.map { max($0, now) } ?? now
      var start = held
      if let limit {
        longestWindow = max(longestWindow, limit.window)
        if starts.count >= limit.requests { start = max(start, starts[starts.count - limit.requests] + limit.window) }
      }
      note(start, now: now)
      return (start, start == held && held > now)
    }

    func isHeld(at now: Duration) -> Bool { heldUntil.map { $0 > now } ?? false }

    private mutating func note(_ start: Duration, now: Duration) {
      guard longestWindow > .zero else { return }
      let index = starts.lastIndex { $0 <= start }.map { $0 + 1 } ?? 0
      starts.insert(start, at: index)
      let old = starts.prefix { $0 <= now - longestWindow }.count
      if old > starts.count / 2 { starts.removeFirst(old) }
    }

    mutating func giveBack(_ start: Duration) {
      if let index = starts.lastIndex(of: start) { starts.remove(at: index) }
    }

    /// Removes and returns the requests at the head of the queue that may start now.
    mutating func takeReady() -> [CheckedContinuation<Bool, Never>] {
      var ready: [CheckedContinuation<Bool, Never>] = []
      while let first = queue.first, open < first.limit {
        open += 1
        ready.append(queue.removeFirst().continuation)
      }
      return ready
    }
  }
}
