/// What a fetch delivers: the model, its source, and what happened.
public struct Fetched<Model: Sendable>: Sendable {
  /// The model.
  public var model: Model
  /// Where it came from.
  public var source: FetchSource
  /// Why the persisted result was not used; nil when it was.
  public var miss: PersistenceMiss?
  /// The kept and the rejected records; empty for a persisted result.
  public var report: PruneReport
  /// What became of the save.
  public var save: SaveOutcome
  /// Length of the decoded body, in bytes; 0 for a persisted result.
  public var bytes: Int
  /// HTTP status of the response; nil for a persisted result.
  public var status: Int?
  /// Responses that the model came from; 0 for a persisted result.
  public var pages: Int
  /// Why the model holds less than there is, when that is accepted; nil for a persisted result.
  public var shortfall: ReactorError?
  /// How long each step took.
  public var timings: FlowTimings

  /// Builds a result.
  public init(
    _ model: Model, source: FetchSource, miss: PersistenceMiss? = nil, report: PruneReport = PruneReport(),
    save: SaveOutcome = .notAsked, bytes: Int = 0, status: Int? = nil, timings: FlowTimings = FlowTimings()
  ) {
    self.model = model
    self.source = source
    self.miss = miss
    self.report = report
    self.save = save
    self.bytes = bytes
    self.status = status
    self.timings = timings
    pages = source == .persistence ? 0 : 1
  }
}

/// Where a fetched model came from.
public enum FetchSource: String, Sendable, Hashable, CaseIterable {
  /// A persisted result.
  case persistence
  /// A response of the server.
  case network
  /// A persisted result that the server reports as not modified.
  case notModified = "not_modified"
}

/// What became of the save of a fetched model.
public enum SaveOutcome: Sendable, Hashable {
  /// It was persisted.
  case saved
  /// There was nothing to save: the model was persisted already, or the flow persists nothing.
  case notAsked
  /// The save runs in the save queue, whose `drain` returns the failures.
  case deferred
  /// The save failed, which the configuration tolerates.
  case failedTolerated(ReactorError)
  /// Every record was rejected, so the result before it stays.
  case withheld
}
