package import BatchRunner

/// Estimates the time to the end of a run.
///
/// The estimate is made from the usual durations of the flows. A run of flows without them is judged by the number of
/// flows that have ended. When neither is known, there is no estimate.
package struct TimeLeft: Sendable {
  /// The number of flows that must have ended before their number is used.
  private static let minimumEnded = 5
  /// A shorter time is not worth a number.
  private static let shortest = Duration.seconds(1)

  /// The usual duration of each flow, in plan order; nil for a flow that has not passed before.
  private let usual: [Duration?]
  /// The number of flows that run at the same time.
  private let width: Int

  /// Creates an estimate for a plan.
  ///
  /// - Parameter usual: returns the usual duration of a flow; nil when it is not known
  package init(_ plan: RunPlan, usual: (String) -> Duration?) {
    self.usual = plan.flows.map { usual($0.id) }
    let hosts = Set(plan.flows.map(\.host)).count
    width = max(min(plan.limits.jobs, hosts.multipliedReportingOverflow(by: plan.limits.perHost).partialValue), 1)
  }

  /// The usual duration of a flow; nil when it is not known.
  func usual(_ flow: Int) -> Duration? { usual.indices.contains(flow) ? usual[flow] : nil }

  /// The time to the end of the run; nil when it is not known.
  func estimate(_ state: borrowing RunState, now: Duration) -> Duration? {
    var (sum, longest) = (Duration.zero, Duration.zero)
    for index in state.flows.indices {
      let left: Duration
      switch state.flows[index].status {
      case .queued:
        guard let usual = usual(index) else { return byCount(state, now: now) }
        left = usual
      case .running:
        guard let usual = usual(index) else { return byCount(state, now: now) }
        left = max(usual - (now - (state.flows[index].started ?? now)), .zero)
      case .passed, .failed, .error, .cancelled, .elsewhere: continue
      }
      sum += left
      longest = max(longest, left)
    }
    return Self.shown(max(sum / width, longest))
  }

  /// The time by the flows that have ended, while enough flows wait.
  ///
  /// When no flow waits, the number of flows does not say how long the running ones take.
  private func byCount(_ state: borrowing RunState, now: Duration) -> Duration? {
    let counters = state.counters
    guard let started = state.started, counters.ended >= Self.minimumEnded, counters[.queued] > counters[.running]
    else { return nil }
    return Self.shown((now - started) * (counters.selected - counters.ended) / counters.ended)
  }

  private static func shown(_ time: Duration) -> Duration? { time < shortest ? nil : time }
}
