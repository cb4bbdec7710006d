import Synchronization

/// What the processes of a simulation have done, as they know it themselves.
final class Ledger: Sendable {
  struct Totals {
    /// The number of the process that has ended each flow and was not refused; nil if none has.
    var owners: [Int?]
    /// The seconds that each flow ran in vain.
    var lost: [Double]
    /// When each flow was lost the last time, in seconds; nil for one that was not.
    var lossTimes: [Int: Double] = [:]
    /// When slots were missing.
    var absences: [(from: Duration, to: Duration, slots: Int)] = []
    var deaths = 0
    var stops = 0
    /// The ends that were refused because another process had taken the flow.
    var refused = 0
    /// Flows that two processes have ended without a refusal.
    var doubled = 0
    var reporters = 0
    /// The time of the last end.
    var makespan = Duration.zero
  }

  private let state: Mutex<Totals>

  init(flows: Int) {
    state = Mutex(Totals(owners: Array(repeating: nil, count: flows), lost: Array(repeating: 0, count: flows)))
  }

  var totals: Totals { state.withLock { $0 } }

  func change(_ body: (inout Totals) -> Void) { state.withLock { body(&$0) } }

  func end(_ flow: Int, by process: Int, at time: Duration) {
    state.withLock { totals in
      if let owner = totals.owners[flow], owner != process { totals.doubled += 1 }
      totals.owners[flow] = process
      totals.makespan = max(totals.makespan, time)
    }
  }

  /// Takes an end back that the database has not taken.
  func withdraw(_ flow: Int, by process: Int) {
    state.withLock { totals in if totals.owners[flow] == process { totals.owners[flow] = nil } }
  }

  /// Counts the time that a flow ran in vain, until its process died or was stopped.
  func lose(_ flow: Int, _ duration: Duration, at time: Duration) {
    state.withLock { totals in
      totals.lost[flow] += duration.seconds
      totals.lossTimes[flow] = max(totals.lossTimes[flow] ?? 0, time.seconds)
    }
  }
}
