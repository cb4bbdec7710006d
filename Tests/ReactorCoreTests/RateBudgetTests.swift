@testable import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite struct RateBudgetTests {
  private let clock = PatientClock()

  @Test func `no window of the length holds more requests than the limit`() async throws {
    let budget = clock.budget()
    let pace = RatePace(limits: [.init(3, per: .seconds(1))])
    let start = clock.now
    var starts: [Duration] = []
    for number in 0..<10 {
      try await budget.enter(pace)
      starts.append(clock.now - start)
      budget.leave(RatePace())
      if number == 4 { clock.advance(by: .milliseconds(300)) }
    }
    #expect(starts == [0, 0, 0, 1000, 1000, 1300, 2000, 2000, 2300, 3000].map { Duration.milliseconds($0) })
  }

  @Test func `flows of different pace keep their limits against the requests of all`() async throws {
    let budget = clock.budget()
    let (slow, fast) = (RatePace(limits: [.init(1, per: .seconds(5))]), RatePace(limits: [.init(2, per: .seconds(1))]))
    try await budget.enter(fast)
    try await budget.enter(slow)
    #expect(clock.waits == [.seconds(5)])
    try await budget.enter(fast)
    #expect(clock.waits == [.seconds(5)])
    try await budget.enter(fast)
    #expect(clock.waits == [.seconds(5), .seconds(1)])
  }

  @Test func `of several windows all hold`() async throws {
    let budget = clock.budget()
    let pace = RatePace(limits: [.init(2, per: .seconds(1)), .init(3, per: .seconds(10))])
    let start = clock.now
    var starts: [Duration] = []
    for _ in 0..<8 {
      try await budget.enter(pace)
      starts.append(clock.now - start)
      budget.leave(RatePace())
    }
    #expect(starts == [0, 0, 1, 10, 10, 11, 20, 20].map { Duration.seconds($0) })
  }

  @Test func `a budget counts its own requests, and these count for all`() async throws {
    let budget = clock.budget()
    let search = RatePace.Budget(RequestPattern(paths: [PathPattern("/search")]), limits: [.init(1, per: .seconds(60))])
    let pace = RatePace(limits: [.init(2, per: .seconds(1))], budgets: [search])
    try await budget.enter(pace, drawingOn: [search])
    try await budget.enter(pace)
    #expect(clock.waits == [])
    try await budget.enter(pace)
    #expect(clock.waits == [.seconds(1)])
    try await budget.enter(pace, drawingOn: [search])
    #expect(clock.waits == [.seconds(1), .seconds(59)])
  }

  @Test func `a hold keeps everybody waiting until it is over`() async throws {
    let budget = clock.budget()
    budget.hold(for: .seconds(8))
    budget.hold(for: .seconds(3))
    let told = Mutex<[Duration]>([])
    try await budget.enter(RatePace()) { wait in told.withLock { $0.append(wait) } }
    #expect(clock.waits == [.seconds(8)])
    #expect(told.withLock { $0 } == [.seconds(8)])
    try await budget.enter(RatePace())
    #expect(clock.waits == [.seconds(8)])
  }

  @Test func `a wait that would pass the deadline fails at once with a message and frees its slot`() async throws {
    let budget = clock.budget()
    let pace = RatePace(limits: [.init(1, per: .seconds(60))], concurrency: 1)
    try await budget.enter(pace)
    budget.leave(RatePace())
    let paced = await #expect(throws: ReactorError.self) {
      try await budget.enter(pace, deadline: clock.now + .seconds(59))
    }
    #expect(paced?.kind == .timeout)
    #expect(paced?.message == "'http.rate' requires a wait of 60 s, which would exceed the flow's deadline")
    #expect(paced?.help == "run again later, or give the flow more time with 'deadline'")
    budget.hold(for: .milliseconds(90_500))
    let held = await #expect(throws: ReactorError.self) {
      try await budget.enter(pace, deadline: clock.now + .seconds(59))
    }
    #expect(
      held?.message == "the server's rate limit asks for a wait of 90.5 s, which would exceed the flow's deadline")
    #expect(clock.waits == [])
    try await budget.enter(pace)
    #expect(clock.waits == [.milliseconds(90_500)])
  }

  @Test func `no more requests wait for a response than are allowed at once`() async throws {
    let budget = RateBudget()
    let pace = RatePace(concurrency: 2)
    let counts = Counts()
    let work: @Sendable () async throws -> Void = {
      try await budget.enter(pace)
      counts.enter()
      await Task.yield()
      counts.leave()
      budget.leave(RatePace())
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask(operation: work) }
      try await group.waitForAll()
    }
    #expect(counts.most <= 2)
    #expect(counts.done == 40)
  }

  @Test func `who is cancelled while queueing leaves no gap`() async throws {
    let budget = RateBudget()
    let pace = RatePace(concurrency: 1)
    try await budget.enter(pace)
    let tasks = (0..<5).map { _ in
      Task {
        try await budget.enter(pace)
        budget.leave(RatePace())
      }
    }
    for task in tasks[..<4] { task.cancel() }
    for task in tasks[..<4] { await #expect(throws: ReactorError.cancelled) { try await task.value } }
    budget.leave(RatePace())
    try await tasks[4].value
    try await budget.enter(pace)
  }

  @Test func `each host has a budget of its own, always the same`() {
    let budgets = RateBudgets()
    #expect(budgets.budget(for: "https://a:443") === budgets.budget(for: "https://a:443"))
    #expect(budgets.budget(for: "https://a:443") !== budgets.budget(for: "https://b:443"))
  }
}

/// How many are inside at once.
private final class Counts: Sendable {
  private let state = Mutex((open: 0, most: 0, done: 0))
  var most: Int { state.withLock { $0.most } }
  var done: Int { state.withLock { $0.done } }

  func enter() {
    state.withLock { state in
      state.open += 1
      state.most = max(state.most, state.open)
    }
  }

  func leave() {
    state.withLock { state in
      state.open -= 1
      state.done += 1
    }
  }
}
