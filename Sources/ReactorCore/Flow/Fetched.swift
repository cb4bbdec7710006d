/// The result of a fetch: the model, its source, and details of the fetch.
public struct Fetched<Model: Sendable>: Sendable {
  /// The model.
  public var model: Model
  /// The source of the model: persistence or the network.
  public var source: FetchSource
  /// Why the persisted result was not used; nil when it was used.
  public var miss: PersistenceMiss?
  /// The kept and the rejected records; empty for a persisted result.
  public var report: PruneReport
  /// The outcome of the save.
  public var save: SaveOutcome
  /// Length of the decoded body, in bytes; 0 for a persisted result.
  public var bytes: Int
  /// HTTP status of the response; nil for a persisted result.
  public var status: Int?
  /// The number of responses from which the model was built; 0 for a persisted result.
  public var pages: Int
  /// Why the model is incomplete, when an incomplete model is accepted; nil for a persisted result.
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

/// The source of a fetched model.
public enum FetchSource: String, Sendable, Hashable, CaseIterable {
  /// A persisted result.
  case persistence
  /// A response of the server.
  case network
  /// A persisted result; the server has reported that it is not modified.
  case notModified = "not_modified"
}

/// The outcome of the save of a fetched model.
public enum SaveOutcome: Sendable, Hashable {
  /// The model was persisted.
  case saved
  /// There was nothing to save: the model was already persisted, or the flow persists nothing.
  case notAsked
  /// The save runs in the save queue. The queue's `drain` returns the failures.
  case deferred
  /// The save failed, and the configuration tolerates the failure.
  case failedTolerated(ReactorError)
  /// Every record was rejected. Nothing was saved, and the previous persisted result stays.
  case withheld
}
