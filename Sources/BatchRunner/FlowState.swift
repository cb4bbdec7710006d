public import Boxes
public import ReactorCore

/// The state of one flow of a run, for views.
///
/// The properties of its summary are also properties of the state: `flow.records` is `flow.summary.records`.
@dynamicMemberLookup
public struct FlowState: Sendable, Hashable {
  /// The positions of an incremental flow, in words; nil when there is no position.
  public struct Cursor: Sendable, Hashable {
    /// The position from which the run continued.
    public let before: String?
    /// The position that is stored with the result.
    public let after: String?
  }

  /// The name of the flow: `file-stem.flow-name`.
  public let id: String
  /// The flow file as the user named it.
  public let file: String
  /// The line of the flow's key in the flow file, from 1.
  public let line: Int
  /// The host of the flow: `scheme://host:port`.
  public let host: String
  /// The path of the result, relative to the output root; nil when nothing is persisted.
  public let path: String?
  /// The path of the rejected records, relative to the output root; nil when they are only reported.
  public let rejectedPath: String?
  /// Whether the flow passes even if its result could not be persisted.
  public let toleratesSaveFailure: Bool
  /// Whether the flow runs only because it is a parent of other flows.
  public let isAdded: Bool
  /// A hash of the declaration, which changes with every edit that changes requests or records; nil when unknown.
  public let version: UInt64?
  /// The maximum age of the result in seconds; nil when the flow declares none.
  public let freshness: Int?

  /// The status of the flow in the run.
  public internal(set) var status = FlowStatus.queued
  /// The current step while the flow runs; afterwards, its last step.
  public internal(set) var step: FlowStep?
  /// The path that another run writes and for which this flow waits; nil when it does not wait.
  public internal(set) var awaitedPath: String?
  /// The number of times the flow was started.
  public internal(set) var attempt = 0
  /// The counts and the outcome of the flow so far; while it runs, its events update the counts.
  public internal(set) var summary = FetchSummary(pages: 0)
  /// Whether the flow has a result.
  public internal(set) var hasResult = false
  /// The number of requests that were sent again.
  public internal(set) var retries = 0
  /// How long requests were delayed by rate limits and by jobs that were not done, in waits of a second or longer.
  public internal(set) var waited = Duration.zero
  /// Why the persisted result has no stamp, which identifies its resource; nil when it has one.
  ///
  /// Without a stamp, the next run sends the request again.
  @BoxedIfPresent public internal(set) var stampFailure: ReactorError?
  /// The position of an incremental flow before and after the run; nil for other flows.
  @BoxedIfPresent public internal(set) var cursor: Cursor?
  /// The warnings, the last one of each kind, in the order of their kinds.
  public internal(set) var warnings: [FlowWarning] = []
  /// Why the flow did not pass; nil while there is no error.
  @BoxedIfPresent public internal(set) var error: ReactorError?
  /// The time of the start, as a reading of the run's clock.
  public internal(set) var started: Duration?
  /// The time of the end of the flow's work.
  public internal(set) var ended: Duration?

  init(_ flow: RunnableFlow) {
    id = flow.id
    file = flow.file
    line = flow.line
    host = flow.host
    path = flow.path
    rejectedPath = flow.rejectedPath
    toleratesSaveFailure = flow.toleratesSaveFailure
    isAdded = flow.isAdded
    version = flow.version
    freshness = flow.freshness
  }

  /// Whether the flow's work and its save have ended.
  public var isSettled: Bool { status.isFinal && summary.save != .deferred }

  /// Whether the flow passed without all of its records or without its result.
  ///
  /// Causes: the pages were cut off, records were rejected, or the result was not saved.
  public var isPartial: Bool {
    guard status == .passed else { return false }
    if case .failedTolerated = summary.save { return true }
    return summary.shortfall != nil || summary.rejected > 0
  }

  /// The source of the records; nil before the flow has a result.
  public var source: FetchSource? { hasResult ? summary.source : nil }

  /// A property of the summary, such as the number of records.
  ///
  /// For a failed flow, only the rejected records that were found before its end are counted.
  @inlinable public subscript<Value>(dynamicMember path: KeyPath<FetchSummary, Value>) -> Value {
    summary[keyPath: path]
  }

  /// Removes the data of the last attempt, except its summary, before the flow is run again.
  mutating func reset() {
    (step, awaitedPath, error, started, ended) = (nil, nil, nil, nil, nil)
    (hasResult, retries, waited, stampFailure, cursor) = (false, 0, .zero, nil, nil)
    warnings = []
  }

  /// The duration from the start to the end; nil before the end.
  public var duration: Duration? {
    guard let started, let ended else { return nil }
    return ended - started
  }
}
