extension RateBudget {
  /// The start times of the requests to a host, the reserved start times, and the queue.
  struct State {
    /// A request that waits for its start time.
    private struct Reservation {
      let ticket: Int
      var start: Duration
      /// The patterns of the budgets that count the request; the limits for all requests apply too.
      let patterns: Set<RequestPattern>
    }

    /// When a request may start.
    enum Turn {
      case now
      /// Not before the given reading of the stopwatch. `isHeld`: whether `RateBudget.hold` determines this reading.
      case later(Duration, isHeld: Bool)
    }

    /// The starts of all requests.
    private var all = StartLog()
    /// The starts of the requests of each budget.
    private var logs: [RequestPattern: StartLog] = [:]
    /// The reservations, in the order of their tickets.
    private var reservations: [Reservation] = []
    private var lastTurn = 0
    var heldUntil: Duration?
    var open = 0
    var nextTicket = 0
    var queue: [(ticket: Int, limit: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    /// The tickets of requests that were cancelled before they joined the queue.
    var givenUp: Set<Int> = []

    /// The number of start times in memory.
    var retained: Int { logs.values.reduce(all.count) { $0 + $1.count } }

    /// Returns the ticket of a new request: its number in the order of calls.
    mutating func newTurn() -> Int {
      lastTurn += 1
      return lastTurn
    }

    /// Starts a request if all limits allow it now; else reserves its start time.
    mutating func turn(
      _ ticket: Int, _ limits: [RatePace.Limit], _ budgets: [RatePace.Budget], now: Duration
    ) -> Turn {
      let held = heldUntil.map { max($0, now) } ?? now
      all.serve(limits)
      for budget in budgets { logs[budget.requests, default: StartLog()].serve(budget.limits) }
      var start = held
      while true {
        let before = start
        start = all.earliest(from: start, limits, ticket: ticket, among: reserved(before: ticket, of: nil, from: held))
        for budget in budgets {
          guard let log = logs[budget.requests] else { continue }
          start = log.earliest(
            from: start, budget.limits, ticket: ticket,
            among: reserved(before: ticket, of: budget.requests, from: held))
        }
        if start == before { break }
      }
      guard start <= now else {
        reserve(ticket, start, Set(budgets.map(\.requests)))
        return .later(start, isHeld: start == held)
      }
      giveBack(ticket)
      all.note(now, ticket: ticket)
      for pattern in Set(budgets.map(\.requests)) { logs[pattern]?.note(now, ticket: ticket) }
      return .now
    }

    /// The reserved start times of earlier requests, in order. A start time before `time` counts as `time`.
    private func reserved(before ticket: Int, of pattern: RequestPattern?, from time: Duration) -> [Duration] {
      var starts: [Duration] = []
      for reservation in reservations {
        guard reservation.ticket < ticket else { break }
        if let pattern, !reservation.patterns.contains(pattern) { continue }
        starts.append(max(reservation.start, time))
      }
      return starts.sorted()
    }

    private mutating func reserve(_ ticket: Int, _ start: Duration, _ patterns: Set<RequestPattern>) {
      if let index = reservations.firstIndex(where: { $0.ticket == ticket }) {
        reservations[index].start = start
      } else {
        let index = reservations.lastIndex { $0.ticket < ticket }.map { $0 + 1 } ?? 0
        reservations.insert(Reservation(ticket: ticket, start: start, patterns: patterns), at: index)
      }
    }

    /// Removes the reservation of a request.
    mutating func giveBack(_ ticket: Int) {
      if let index = reservations.firstIndex(where: { $0.ticket == ticket }) { reservations.remove(at: index) }
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
