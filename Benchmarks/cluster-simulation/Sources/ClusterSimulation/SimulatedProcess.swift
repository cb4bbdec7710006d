import BatchRunner
import ReactorCore
@testable import SharedState

/// A process of the simulated cluster: it claims flows as `FlowScheduler` does, and "runs" each for its duration.
struct SimulatedProcess {
  enum Ending { case over, died }

  private struct Running {
    let flow: Int
    var began: Duration
    var due: Duration
  }

  private let number: Int
  private let scenario: Scenario
  private let durations: [Double]
  private let clock: VirtualClock
  private let ledger: Ledger
  private let pulse: Pulse
  private let run: SharedRun
  private var random: Random

  private var queued: [Int] = []
  private var running: [Running] = []
  private var isOver = false
  private var nextClaim = Duration.zero
  private var nextFailure = Duration.zero
  /// When the process died, or was stopped the last time.
  private var failure = Duration.zero

  init(
    _ number: Int, _ scenario: Scenario, _ durations: [Double], in database: StateDatabase, _ clock: VirtualClock,
    _ ledger: Ledger
  ) {
    (self.number, self.scenario, self.durations) = (number, scenario, durations)
    (self.clock, self.ledger, pulse) = (clock, ledger, Pulse(clock))
    random = Random(scenario.seed &+ 1000 &+ UInt64(number))
    var settings = SharedRun.Settings()
    (settings.jobs, settings.lease) = (scenario.jobs, scenario.lease)
    run = SharedRun(
      "simulated", in: database, by: SharedRun.Member(id: Self.id(number), host: "simulated", pid: 1), settings,
      delay: pulse.delay, stopwatch: clock.stopwatch)
  }

  /// The id of a process. Ids of real processes are random: the order of two says nothing about the time.
  static func id(_ number: Int) -> String {
    var random = Random(UInt64(number))
    return String(random.next(), radix: 16) + "-\(number)"
  }

  /// Lives until the run is over, or until its death.
  mutating func live(_ division: RunDivision) async throws -> Ending {
    _ = try await run.join(division, digest: "digest")
    nextFailure = clock.now + random.time(rate: scenario.deaths / 60)
    while true {
      try await claim()
      if isOver, running.isEmpty, queued.isEmpty { break }
      try await clock.wait(nextEvent() - clock.now)
      await endDue()
      if clock.now >= nextFailure {
        if random.unit() >= scenario.stops {
          await die()
          return .died
        }
        try await stop()
      }
    }
    await run.leave()
    await withdrawLost()
    pulse.end()
    if let failure = await run.failure { throw failure }
    if await run.isReporter() {
      ledger.change { $0.reporters += 1 }
      await run.noteReport()
    }
    return .over
  }

  private func nextEvent() -> Duration {
    var next = nextFailure
    for flow in running { next = min(next, flow.due) }
    // A process that claims nothing because it has enough waits for an end.
    if !isOver, running.count + queued.count < scenario.jobs { next = min(next, max(nextClaim, clock.now)) }
    return next
  }

  private mutating func claim() async throws {
    while !isOver, clock.now >= nextClaim {
      let room = scenario.jobs + (await run.lead) - running.count - queued.count
      guard room > 0 else { break }
      switch await run.claim(room) {
      case .flows(let ids): queued += ids.map(Scenario.flow)
      case .later(let pause): nextClaim = clock.now + pause
      case .over: isOver = true
      }
      if let failure = await run.failure { throw failure }
    }
    while running.count < scenario.jobs, !queued.isEmpty {
      let flow = queued.removeFirst()
      await run.begin(Scenario.id(flow))
      running.append(Running(flow: flow, began: clock.now, due: clock.now + .seconds(durations[flow])))
    }
  }

  /// Ends the flows whose time is over, unless another process has them.
  private mutating func endDue() async {
    for flow in running where flow.due <= clock.now {
      do throws(ReactorError) { try await run.check(Scenario.id(flow.flow)) } catch { continue }
      ledger.end(flow.flow, by: number, at: clock.now)
      await run.end(end(of: flow))
      running.removeAll { $0.flow == flow.flow }
    }
    await dropLost()
  }

  private func end(of flow: Running) -> FlowEnd {
    let id = Scenario.id(flow.flow)
    let milliseconds = Int64((clock.now - flow.began).seconds * 1000)
    let filling = String(repeating: "x", count: 150)
    var end = FlowEnd(
      flow: id, status: "passed", exit: 0, report: #"{"flow":"\#(id)","filling":"\#(filling)\#(filling)"}"#,
      line: #"{"flow":"\#(id)","filling":"\#(filling)"}"#, duration: milliseconds)
    end.took = milliseconds
    return end
  }

  /// Drops the flows that other processes have taken over.
  private mutating func dropLost() async {
    let lost = Set(await run.lost.map(Scenario.flow))
    guard !lost.isEmpty else { return }
    for flow in running where lost.contains(flow.flow) { ledger.lose(flow.flow, clock.now - flow.began, at: failure) }
    running.removeAll { lost.contains($0.flow) }
    queued.removeAll { lost.contains($0) }
  }

  /// Takes back the ends that the database has refused.
  private func withdrawLost() async {
    for id in await run.lost {
      ledger.withdraw(Scenario.flow(id), by: number)
    }
  }

  /// Ends without a word: what is not stored is lost.
  private mutating func die() async {
    pulse.end()
    failure = clock.now
    for end in await run.ends {
      ledger.withdraw(Scenario.flow(end.flow), by: number)
      ledger.lose(Scenario.flow(end.flow), .seconds(durations[Scenario.flow(end.flow)]), at: failure)
    }
    for flow in running { ledger.lose(flow.flow, clock.now - flow.began, at: failure) }
    await withdrawLost()
    ledger.change { totals in
      totals.deaths += 1
      totals.absences.append((clock.now, clock.now + scenario.replacement, scenario.jobs))
    }
  }

  /// Does nothing for three leases, as a process on a machine that sleeps, and then goes on.
  private mutating func stop() async throws {
    let (from, pause) = (clock.now, scenario.lease * 3)
    failure = from
    pulse.stop(until: from + pause)
    ledger.change { totals in
      totals.stops += 1
      totals.absences.append((from, from + pause, scenario.jobs))
    }
    try await clock.wait(pause)
    for index in running.indices {
      running[index].began += pause
      running[index].due += pause
    }
    nextFailure = clock.now + random.time(rate: scenario.deaths / 60)
    await endLate()
    // As the renewal does that wakes now, too: it finds out what others have taken.
    for flow in running { try? await run.check(Scenario.id(flow.flow)) }
    await dropLost()
  }

  /// Stores the end of a flow that was checked before the process was stopped: the database decides whether it counts.
  private mutating func endLate() async {
    guard let index = running.indices.min(by: { running[$0].due < running[$1].due }) else { return }
    let flow = running.remove(at: index)
    await run.end(end(of: flow))
    await run.store()
    if await run.lost.contains(Scenario.id(flow.flow)) {
      ledger.lose(flow.flow, clock.now - flow.began, at: failure)
      ledger.change { $0.refused += 1 }
    } else {
      ledger.end(flow.flow, by: number, at: clock.now)
    }
  }
}
