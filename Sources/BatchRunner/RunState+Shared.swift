internal import ReactorCore

extension RunState {
  /// The state with only the flows that this process has run.
  ///
  /// - Parameter lost: the ids of flows that other processes have taken over
  public func own(without lost: Set<String> = []) -> RunState {
    guard isShared else { return self }
    var own = self
    own.flows = flows.filter { $0.status != .elsewhere && !lost.contains($0.id) }
    own.counters = RunCounters(of: own.flows)
    return own
  }
}

extension RunCounters {
  fileprivate init(of flows: [FlowState]) {
    self.init(selected: flows.count)
    for flow in flows {
      move(from: .queued, to: flow.status)
      move(from: FetchSummary(pages: 0), to: flow.summary)
    }
  }
}
