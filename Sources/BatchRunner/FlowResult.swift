public import ReactorCore

/// What one run of a flow gave.
public struct FlowResult: Sendable, Hashable {
  /// Where the records came from.
  public var source: FetchSource
  /// Why the persisted result was not used.
  public var miss: PersistenceMiss?
  /// Responses that the records came from.
  public var pages: Int
  /// Records that fit.
  public var records: Int
  /// Records that did not fit and were left out.
  public var rejected: Int
  /// Records that were left out because they are not wanted.
  public var filtered = 0
  /// The first rejections, in the order of the response.
  public var rejections: [PruneReport.Rejection]
  /// Decoded bytes of the response.
  public var bytes: Int
  /// What became of the save.
  public var save: SaveOutcome
  /// Time spent by step.
  public var timings: FlowTimings

  /// Builds a result; without a number of pages, one from the network and none from persistence.
  public init(
    source: FetchSource, miss: PersistenceMiss? = nil, records: Int, rejected: Int = 0,
    rejections: [PruneReport.Rejection] = [], bytes: Int = 0, save: SaveOutcome = .notAsked,
    timings: FlowTimings = FlowTimings(), pages: Int? = nil
  ) {
    self.source = source
    self.miss = miss
    self.pages = pages ?? (source == .persistence ? 0 : 1)
    self.records = records
    self.rejected = rejected
    self.rejections = rejections
    self.bytes = bytes
    self.save = save
    self.timings = timings
  }
}
