extension Simulation.Outcome {
  /// The seconds that no division of the flows can beat, given what the processes lost.
  ///
  /// The slots have to do all the work once, and what was lost; what a slot that was missing did not do, the others do.
  /// A flow takes its duration, after it was lost the last time; who dies when is given.
  func bound(_ scenario: Scenario) -> (work: Double, flow: Double) {
    let makespan = totals.makespan
    let missing = totals.absences.reduce(0) { sum, absence in
      sum + max(min(absence.to, makespan) - absence.from, .zero).seconds * Double(absence.slots)
    }
    let work = durations.reduce(0, +) + totals.lost.reduce(0, +) + missing
    let flow = durations.indices.reduce(0) { max($0, durations[$1] + (totals.lossTimes[$1] ?? 0)) }
    return (work / Double(scenario.slots), flow)
  }

  func json(_ scenario: Scenario, wall: Double) -> String {
    let bound = bound(scenario)
    let fields: [(String, String)] = [
      ("flows", "\(scenario.flows)"), ("processes", "\(scenario.processes)"), ("slots", "\(scenario.slots)"),
      ("makespan", "\(totals.makespan.seconds)"), ("work_bound", "\(bound.work)"), ("flow_bound", "\(bound.flow)"),
      ("work", "\(durations.reduce(0, +))"), ("lost", "\(totals.lost.reduce(0, +))"), ("deaths", "\(totals.deaths)"),
      ("stops", "\(totals.stops)"), ("refused", "\(totals.refused)"), ("consistent", "\(isConsistent)"),
      ("first_join", "\(firstJoin)"), ("later_join", "\(laterJoin)"), ("reading", "\(reading)"), ("wall", "\(wall)"),
    ]
    return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }
}
