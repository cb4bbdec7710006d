internal import BatchRunner
internal import ReactorCore

extension ExitCode {
  /// The codes that a run's flows ask for.
  ///
  /// - Parameter isOffline: then a persistence error says that nothing was there; else that something was not written,
  ///   because a load that fails is no error but a reason to ask the server.
  static func codes(of flows: some Sequence<FlowState>, isOffline: Bool, isInterrupted: Bool) -> Set<ExitCode> {
    var codes: Set<ExitCode> = []
    var hasUnbegun = false
    for flow in flows {
      switch flow.status {
      case .passed: codes.insert(.passed)
      case .failed: codes.insert(.failed)
      case .error:
        if case .failed = flow.save {
          codes.insert(.notWritten)
        } else {
          codes.insert(flow.error?.kind == .persistence && !isOffline ? .notWritten : .notJudged)
        }
      // In a run that was stopped, the stop is the reason; else the flow was stopped alone.
      case .cancelled where flow.attempt == 0: hasUnbegun = true
      case .cancelled, .queued, .running: if !isInterrupted { codes.insert(.notJudged) }
      }
    }
    // Flows that were not begun because others did not pass: the others tell.
    if hasUnbegun, !isInterrupted, codes.isSubset(of: [.passed]) { codes.insert(.notJudged) }
    return codes
  }
}

extension FlowState {
  /// Whether it passed with less than all: pages cut off, records or parents rejected, or a result that was not kept.
  var isPartial: Bool {
    guard status == .passed else { return false }
    if case .tolerated = save { return true }
    return cut != nil || rejected > 0
  }
}
