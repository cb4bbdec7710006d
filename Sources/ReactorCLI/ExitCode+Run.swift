internal import BatchRunner
internal import ReactorCore

extension ExitCode {
  /// The codes that a run's flows ask for.
  ///
  /// - Parameter isOffline: then a persistence error means that no result is persisted; otherwise that one was not written
  static func codes(of flows: some Sequence<FlowState>, isOffline: Bool, isInterrupted: Bool) -> Set<ExitCode> {
    var codes: Set<ExitCode> = []
    var hasUnstarted = false
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
      case .cancelled where flow.attempt == 0: hasUnstarted = true
      case .cancelled, .queued, .running: if !isInterrupted { codes.insert(.notJudged) }
      }
    }
    // When flows did not start because others did not pass, the others have the code.
    if hasUnstarted, !isInterrupted, codes.isSubset(of: [.passed]) { codes.insert(.notJudged) }
    return codes
  }
}

extension FlowState {
  /// Whether it passed without all records or without its result: pages cut off, records rejected, the save failed.
  var isPartial: Bool {
    guard status == .passed else { return false }
    if case .tolerated = save { return true }
    return cut != nil || rejected > 0
  }
}
