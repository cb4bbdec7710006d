/// How far a flow is in its run.
public enum FlowStatus: String, Sendable, Hashable, CaseIterable {
  /// It waits for its turn.
  case queued
  /// It runs; `FlowState.step` says what it does.
  case running
  /// It gave records that fit.
  case passed
  /// The response does not fit what the flow declares.
  case failed
  /// It could not be judged, or its result could not be persisted.
  case error
  /// The run ended before it did.
  case cancelled

  /// Whether the flow's work is over; a deferred save may still be going on.
  public var isFinal: Bool { self != .queued && self != .running }
}
