internal import BatchRunner
internal import ReactorState
internal import RunViews

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Writes the changes of a run to its event logs.
struct EventRecorder: Sendable {
  private let plan: RunPlan
  private let shard: RunReport.Shard?
  private let hasTiming: Bool
  private let began: Int64
  private let isReplay: Bool
  private let mask: @Sendable (String) -> String
  private let logs: [(name: String, log: EventLog)]

  /// Creates the requested event logs; nil when none is requested.
  init?(_ plan: RunPlan, _ ending: RunEnding) {
    guard !ending.desk.eventLogs.isEmpty else { return nil }
    self.plan = plan
    shard = ending.shard
    hasTiming = ending.hasTiming
    began = ending.began
    isReplay = ending.fixtures?.isReplay ?? false
    let out = ending.console.out
    mask = { out.masked($0) }
    logs = ending.desk.eventLogs.map { order in
      switch order.destination {
      case .file(let path): (path, EventLog(.path(path)))
      case .standardOutput, .gitHub: ("-", EventLog(.descriptor(out.descriptor)))
      }
    }
  }

  /// Writes all changes; returns messages about logs that could not be written.
  func record(_ transitions: Transitions<RunMutation>) async -> [String] {
    var form = EventLine(plan, hasTiming: hasTiming, mask: mask)
    add(form.head(plan, began: began, tool: ToolVersion.text, shard: shard, isReplay: isReplay))
    if hasTiming {
      for await transition in transitions { add(form.line(transition)) }
    } else {
      var sorted = PlanOrder()
      for await transition in transitions { sorted.take(transition.mutation) }
      for (index, mutation) in sorted.mutations.enumerated() { add(form.line(mutation, number: index + 1)) }
    }
    var lost: [String] = []
    for (name, log) in logs {
      if let failure = await log.finish() { lost.append("event log '\(name)' could not be written: \(failure)") }
    }
    return lost
  }

  private func add(_ line: [UInt8]) {
    for (_, log) in logs { log.add(line) }
  }
}
