public import Boxes
public import ReactorCore

/// The state of one flow of a run, for views.
public struct FlowState: Sendable, Hashable {
  /// The position of an incremental flow, in words; nil for a position at the start.
  public struct Cursor: Sendable, Hashable {
    /// The position from which the run continued.
    public let before: String?
    /// The position that is remembered with the result.
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

  /// The status of the flow in the run.
  public internal(set) var status = FlowStatus.queued
  /// The current step while the flow runs; afterwards, its last step.
  public internal(set) var step: FlowStep?
  /// The path that another run writes and for which this flow waits; nil when it does not wait.
  public internal(set) var awaitedPath: String?
  /// The number of times the flow was started.
  public internal(set) var attempt = 0
  /// The source of the records; nil before the flow has a result.
  public internal(set) var source: FetchSource?
  /// Why the persisted result was not used.
  @BoxedIfPresent public internal(set) var miss: PersistenceMiss?
  /// The number of responses from which the records were read.
  ///
  /// It is 0 for a persisted result, and may be more than 1 when the flow follows pages.
  public internal(set) var pages = 0
  /// The number of requests that were sent again.
  public internal(set) var retries = 0
  /// The number of records that match the schema.
  public internal(set) var records = 0
  /// The number of records that do not match the schema. For a failed flow, only those found before its end are
  /// counted.
  public internal(set) var rejected = 0
  /// The number of records that a filter left out.
  public internal(set) var filtered = 0
  /// The first rejections, in the order of the response.
  public internal(set) var rejections: [PruneReport.Rejection] = []
  /// The number of decoded bytes so far.
  public internal(set) var bytes = 0
  /// The progress of the save.
  public internal(set) var save = SaveProgress.notAsked
  /// Why the persisted result has no stamp, which identifies its resource; nil when it has one.
  ///
  /// Without a stamp, the next run sends the request again.
  @BoxedIfPresent public internal(set) var stampFailure: ReactorError?
  /// Why the records are incomplete: a flow with `partial: keep` passed although a page failed.
  @BoxedIfPresent public internal(set) var cut: ReactorError?
  /// The position of an incremental flow before and after the run; nil for other flows.
  @BoxedIfPresent public internal(set) var cursor: Cursor?
  /// A warning about fields that no record has and that look misspelt.
  @BoxedIfPresent public internal(set) var missingFields: ReactorError?
  /// A warning about header fields with the server's rate limit that cannot be read.
  @BoxedIfPresent public internal(set) var unreadableLimit: ReactorError?
  /// A warning about a job that has ended and is still at the server.
  @BoxedIfPresent public internal(set) var jobLeft: ReactorError?
  /// The duration of each step.
  @Boxed public internal(set) var timings = FlowTimings()
  /// Why the flow did not pass.
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
  }

  /// Whether the flow's work and its save have ended.
  public var isSettled: Bool { status.isFinal && save != .deferred }

  /// Removes the result of the last attempt.
  mutating func reset() {
    var fresh = self
    (fresh.step, fresh.source, fresh.miss, fresh.error) = (nil, nil, nil, nil)
    (fresh.pages, fresh.records, fresh.rejected, fresh.bytes) = (0, 0, 0, 0)
    (fresh.rejections, fresh.timings, fresh.save) = ([], FlowTimings(), .notAsked)
    (fresh.started, fresh.ended, fresh.cut, fresh.stampFailure) = (nil, nil, nil, nil)
    (fresh.cursor, fresh.unreadableLimit, fresh.jobLeft) = (nil, nil, nil)
    (fresh.retries, fresh.filtered, fresh.missingFields, fresh.awaitedPath) = (0, 0, nil, nil)
    self = fresh
  }

  /// The duration from the start to the end; nil before the end.
  public var duration: Duration? {
    guard let started, let ended else { return nil }
    return ended - started
  }
}
