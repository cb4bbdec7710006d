/// Where a flow stands in its run.
public enum FlowStatus: String, Sendable, Hashable, CaseIterable {
  /// It waits for a place.
  case queued
  /// It has a place; `FlowState.step` tells what it does.
  case running
  /// It gave records that fit.
  case passed
  /// It was answered, and the response does not fit what the flow declares.
  case failed
  /// It could not be judged, or its result could not be kept.
  case error
  /// The run ended before it did.
  case cancelled

  /// Whether the flow's work is over; a deferred save may still be going on.
  public var isFinal: Bool { self != .queued && self != .running }
}
