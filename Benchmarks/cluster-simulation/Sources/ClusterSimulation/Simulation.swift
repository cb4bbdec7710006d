@testable import SharedState

/// A simulated run: processes that begin, die and are replaced until all flows have ended.
struct Simulation {
  let scenario: Scenario
  let clock: VirtualClock
  let databases: [StateDatabase]

  struct Outcome {
    let totals: Ledger.Totals
    let durations: [Double]
    let isConsistent: Bool
    /// Real seconds of the first process's joining, with all units, and of a later one's.
    let firstJoin: Double
    let laterJoin: Double
    /// Real seconds of reading the whole record, with reports.
    let reading: Double
  }

  func run() async throws -> Outcome {
    let durations = scenario.durations()
    try await addHistory(scenario.history(of: durations))
    let division = RunDivision((0..<scenario.flows).map { (Scenario.id($0), []) })
    let joins = try await measureJoins(division)
    let ledger = Ledger(flows: scenario.flows)
    try await withThrowingDiscardingTaskGroup { group in
      for seat in 0..<scenario.processes {
        clock.retain()
        group.addTask { try await occupy(seat, division, durations, ledger) }
      }
      // This task is not active any more.
      clock.release()
    }
    let began = ContinuousClock.now
    let record = try await SharedRunRecord.read("simulated", in: databases[0], withReports: true)
    let reading = (ContinuousClock.now - began).seconds
    return Outcome(
      totals: ledger.totals, durations: durations, isConsistent: try await isConsistent(ledger.totals, record),
      firstJoin: joins.first, laterJoin: joins.later, reading: reading)
  }

  /// A place for a process: after a death another one begins there.
  private func occupy(_ seat: Int, _ division: RunDivision, _ durations: [Double], _ ledger: Ledger) async throws {
    defer { clock.release() }
    var number = seat
    while true {
      var process = SimulatedProcess(
        number, scenario, durations, in: databases[seat % databases.count], clock, ledger)
      guard try await process.live(division) == .died else { return }
      try await clock.wait(scenario.replacement)
      number += scenario.processes
    }
  }

  /// Two processes that join and leave before the others begin; the first one brings the units.
  private func measureJoins(_ division: RunDivision) async throws -> (first: Double, later: Double) {
    var seconds: [Double] = []
    for name in ["first", "second"] {
      let run = SharedRun(
        "simulated", in: databases[0], by: SharedRun.Member(id: name, host: "simulated", pid: 1))
      let began = ContinuousClock.now
      _ = try await run.join(division, digest: "digest")
      seconds.append((ContinuousClock.now - began).seconds)
      await run.leave()
    }
    return (seconds[0], seconds[1])
  }

  private func addHistory(_ history: [Int64?]) async throws {
    var start = 0
    while start < history.count {
      let end = min(start + 20_000, history.count)
      let rows = (start..<end).compactMap { flow in
        history[flow].map { #"{"flow":"\#(Scenario.id(flow))","duration":\#($0)}"# }
      }
      _ = try await databases[0].run(
        """
        INSERT INTO reactor_history (run, flow, line, duration)
        SELECT 'earlier', g.flow, '{}', g.duration FROM json_to_recordset($1::json) AS g(flow text, duration bigint)
        """, ["[" + rows.joined(separator: ",") + "]"])
      start = end
    }
  }

  /// Whether each flow has exactly one end in the database, of the process that was not refused, and of the last claim.
  private func isConsistent(_ totals: Ledger.Totals, _ record: SharedRunRecord?) async throws -> Bool {
    let rows = try await databases[0].run(
      """
      SELECT e.flow, e.process FROM reactor_ends e JOIN reactor_claims c USING (run, unit)
      WHERE run = 'simulated' AND c.process = e.process AND c.ended_at IS NOT NULL AND c.lease IS NULL
      """)
    var owners: [Int?] = Array(repeating: nil, count: scenario.flows)
    for row in rows {
      let process = row.text(1)?.split(separator: "-").last.flatMap { Int($0) }
      owners[Scenario.flow(row.text(0) ?? "")] = process
    }
    return rows.count == scenario.flows && owners == totals.owners && !owners.contains(nil) && totals.doubled == 0
      && totals.reporters == 1 && record?.isEnded == true && record?.ends.count == scenario.flows
  }
}
