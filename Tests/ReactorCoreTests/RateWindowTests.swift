@testable import ReactorCore
import TestSupport
import Testing

/// Windows under many requests at once, with timers that are late.
@Suite struct RateWindowTests {
  private typealias State = RateBudget.State

  private static let search = RatePace.Budget(
    RequestPattern(paths: [PathPattern("/search")]),
    limits: [.init(3, per: .seconds(2)), .init(20, per: .seconds(60))])
  private static let reports = RatePace.Budget(
    RequestPattern(methods: [.POST]), limits: [.init(1, per: .milliseconds(700))])

  private struct Request {
    var ticket: Int
    var budgets: [RatePace.Budget]
  }

  /// Plays requests against the budget's state; returns the start of each.
  private func starts(
    _ count: Int, _ limits: [RatePace.Limit], lateness: ClosedRange<Int>, seed: UInt64,
    of budgets: [[RatePace.Budget]] = [[], [], [search], [reports], [search, reports]], every gap: Int = 150,
    each: (Int) -> Void = { _ in }
  ) -> [(start: Duration, budgets: [RatePace.Budget])] {
    var random = SeededGenerator(seed)
    var state = State()
    var arrival = Duration.zero
    var waiting: [(time: Duration, request: Request)] = (0..<count).map { _ in
      arrival += .milliseconds(Int.random(in: 0...gap, using: &random))
      return (arrival, Request(ticket: 0, budgets: budgets.randomElement(using: &random) ?? []))
    }
    var starts: [(Duration, [RatePace.Budget])] = []
    let clock = ManualClock(at: .zero)
    var holds = 5
    while let next = waiting.indices.min(by: { waiting[$0].time < waiting[$1].time }) {
      var (time, request) = waiting.remove(at: next)
      clock.advance(by: max(time - clock.now, .zero))
      if request.ticket == 0 { request.ticket = state.newTurn() }
      if holds > 0, Int.random(in: 0..<50, using: &random) == 0 {
        holds -= 1
        state.heldUntil = clock.now + .seconds(3)
      }
      switch state.turn(request.ticket, limits, request.budgets, now: clock.now) {
      case .now: starts.append((clock.now, request.budgets))
      case .later(let start, _):
        #expect(start > clock.now)
        time = start + .milliseconds(Int.random(in: lateness, using: &random))
        waiting.append((time, request))
      }
      each(state.retained)
    }
    return starts
  }

  private func most(_ starts: [Duration], within window: Duration) -> Int {
    starts.indices.map { first in starts[first...].prefix { $0 < starts[first] + window }.count }.max() ?? 0
  }

  @Test(arguments: [0...0, 0...40, 0...3000], 1...5 as ClosedRange<UInt64>)
  func `no window has more starts than its limit, however late timers are`(lateness: ClosedRange<Int>, seed: UInt64) {
    let limits: [RatePace.Limit] = [.init(5, per: .seconds(1)), .init(60, per: .seconds(30))]
    let starts = starts(150, limits, lateness: lateness, seed: seed)
    #expect(starts.count == 150)
    for limit in limits {
      let most = most(starts.map(\.start), within: limit.window)
      #expect(most <= limit.requests)
      // No limit is kept by waiting longer than needed.
      if lateness == 0...0 { #expect(most == limit.requests) }
    }
    for budget in [Self.search, Self.reports] {
      let own = starts.filter { $0.budgets.contains(budget) }.map(\.start)
      for limit in budget.limits { #expect(most(own, within: limit.window) <= limit.requests) }
    }
  }

  @Test func `a request that waits for its budget does not hold the others back`() {
    var state = State()
    let limits = [RatePace.Limit(3, per: .seconds(1))]
    let slow = RatePace.Budget(RequestPattern(methods: [.PUT]), limits: [.init(1, per: .seconds(60))])
    var turns: [Duration?] = []
    for budgets in [[slow], [slow], [slow], [], [], []] {
      switch state.turn(state.newTurn(), limits, budgets, now: .zero) {
      case .now: turns.append(nil)
      case .later(let start, _): turns.append(start)
      }
    }
    #expect(turns == [nil, .seconds(60), .seconds(120), nil, nil, .seconds(1)])
  }

  @Test func `a request between reservations leaves their windows as they are`() {
    var state = State()
    let limits = [RatePace.Limit(2, per: .seconds(10))]
    let slow = RatePace.Budget(RequestPattern(methods: [.PUT]), limits: [.init(1, per: .seconds(9))])
    var turns: [Duration?] = []
    for budgets in [[slow], [slow], [], []] {
      switch state.turn(state.newTurn(), limits, budgets, now: .zero) {
      case .now: turns.append(nil)
      case .later(let start, _): turns.append(start)
      }
    }
    // 0 and 9 are taken, so nothing fits before 10; the next one after 9 and 10 is 19.
    #expect(turns == [nil, .seconds(9), .seconds(10), .seconds(19)])
  }

  @Test func `the memory is bounded by the limits, and not by the number of requests`() {
    var greatest = 0
    _ = starts(3000, [.init(5, per: .seconds(1))], lateness: 0...40, seed: 1, of: [[]], every: 450) {
      greatest = max(greatest, $0)
    }
    #expect(greatest > 5)
    #expect(greatest <= 2 * 5 + 1)
  }

  @Test func `requests without a limit on their host are not remembered`() {
    var state = State()
    for second in 0..<1000 {
      _ = state.turn(state.newTurn(), [], [], now: .seconds(second))
    }
    #expect(state.retained == 0)
    for millisecond in 0..<1000 {
      let limits: [RatePace.Limit] = millisecond == 0 ? [.init(3, per: .seconds(60))] : []
      _ = state.turn(state.newTurn(), limits, [], now: .milliseconds(1_000_000 + millisecond))
    }
    #expect(state.retained <= 7)
  }
}
