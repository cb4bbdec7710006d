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
