internal import BatchRunner
internal import ReactorCore

extension ExitCode {
  /// The exit codes that the flows of a run cause.
  ///
  /// - Parameter isOffline: in an offline run, a persistence error means that no persisted result exists; in other
  ///   runs, that a result was not written
  static func codes(of flows: some Sequence<FlowState>, isOffline: Bool, isInterrupted: Bool) -> Set<ExitCode> {
    var codes: Set<ExitCode> = []
    var hasUnstarted = false
    for flow in flows {
      switch flow.status {
      case .passed: codes.insert(.passed)
      case .failed: codes.insert(.failed)
      // Another run does what this one would have done.
      case .cancelled where flow.error?.isOtherRun ?? false: codes.insert(.passed)
      case .error where flow.error?.isOtherRun ?? false: codes.insert(.notJudged)
      case .error:
        if case .failed = flow.save {
          codes.insert(.notWritten)
        } else {
          codes.insert(flow.error?.kind == .persistence && !isOffline ? .notWritten : .notJudged)
        }
      case .elsewhere: break
      // When the whole run was interrupted, the interruption determines the code. Otherwise only this flow was
      // cancelled.
      case .cancelled where flow.attempt == 0: hasUnstarted = true
      case .cancelled, .queued, .running: if !isInterrupted { codes.insert(.notJudged) }
      }
    }
    // When flows did not start because other flows did not pass, the codes of those flows are enough.
    if hasUnstarted, !isInterrupted, codes.isSubset(of: [.passed]) { codes.insert(.notJudged) }
    return codes
  }
}
