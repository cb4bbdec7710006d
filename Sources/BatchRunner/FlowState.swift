public import ReactorCore

/// One flow of a run, as views see it.
public struct FlowState: Sendable, Hashable {
  /// `file-stem.flow-name`.
  public let id: String
  /// The flow file as the user named it.
  public let file: String
  /// The line of the flow's key, from 1.
  public let line: Int
  /// `scheme://host:port`.
  public let host: String
  /// Where its result goes, relative to the output root.
  public let path: String?
  /// Where its rejected records go, relative to the output root; nil when they are only reported.
  public let rejectedPath: String?
  /// Whether the flow passes although its result could not be persisted.
  public let toleratesSaveFailure: Bool
  /// Whether it runs only as a parent of others.
  public let isAdded: Bool

  /// How far it is.
  public internal(set) var status = FlowStatus.queued
  /// What it does while it runs; afterwards, what it did last.
  public internal(set) var step: FlowStep?
  /// The path that another run writes and that it waits for; nil when it waits for none.
  public internal(set) var awaitedPath: String?
  /// How often it was started.
  public internal(set) var attempt = 0
  /// Where the records came from.
  public internal(set) var source: FetchSource?
  /// Why the persisted result was not used.
  public internal(set) var miss: PersistenceMiss?
  /// Responses that the records came from: 0 from a persisted result, more than 1 where a flow follows pages.
  public internal(set) var pages = 0
  /// Requests that were sent again.
  public internal(set) var retries = 0
  /// Records that fit.
  public internal(set) var records = 0
  /// Records that did not fit; of a flow that failed, those found before its end.
  public internal(set) var rejected = 0
  /// Records that were left out because they are not wanted.
  public internal(set) var filtered = 0
  /// The first rejections, in the order of the response.
  public internal(set) var rejections: [PruneReport.Rejection] = []
  /// Decoded bytes so far.
  public internal(set) var bytes = 0
  /// What became of the save.
  public internal(set) var save = SaveProgress.notAsked
  /// Why the persisted result has no stamp: the next run will ask the server again.
  public internal(set) var stampFailure: ReactorError?
  /// Why the records are not complete, when a flow with `partial: keep` passed after a page failed.
  public internal(set) var cut: ReactorError?
  /// A warning about fields that no record has and that look misspelt.
  public internal(set) var missingFields: ReactorError?
  /// Time spent by step.
  public internal(set) var timings = FlowTimings()
  /// Why it did not pass.
  public internal(set) var error: ReactorError?
  /// When it was started, since the run's clock began.
  public internal(set) var started: Duration?
  /// When its work was over.
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
  }

  /// Whether its work and its save are over.
  public var isSettled: Bool { status.isFinal && save != .deferred }

  /// Forgets the result of the last attempt.
  mutating func reset() {
    var fresh = self
    (fresh.step, fresh.source, fresh.miss, fresh.error) = (nil, nil, nil, nil)
    (fresh.pages, fresh.records, fresh.rejected, fresh.bytes) = (0, 0, 0, 0)
    (fresh.rejections, fresh.timings, fresh.save) = ([], FlowTimings(), .notAsked)
    (fresh.started, fresh.ended, fresh.cut, fresh.stampFailure) = (nil, nil, nil, nil)
    (fresh.retries, fresh.filtered, fresh.missingFields, fresh.awaitedPath) = (0, 0, nil, nil)
    self = fresh
  }

  /// How long it ran.
  public var duration: Duration? {
    guard let started, let ended else { return nil }
    return ended - started
  }
}
