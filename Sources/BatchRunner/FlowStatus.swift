/// The status of a flow in its run.
public enum FlowStatus: String, Sendable, Hashable, CaseIterable {
  /// The flow waits for its turn.
  case queued
  /// The flow runs; `FlowState.step` is its current step.
  case running
  /// The flow has a result, and not all of its records were rejected.
  case passed
  /// The response does not match the declaration of the flow.
  case failed
  /// The flow had another error, so its response could not be judged, or its result could not be persisted.
  case error
  /// The flow was cancelled before it ended, or the run stopped before the flow started.
  case cancelled

  /// Another process of the run has the flow, or will have it.
  case elsewhere

  /// Whether the flow's work has ended; a deferred save may still be running.
  public var isFinal: Bool { self != .queued && self != .running }
}
