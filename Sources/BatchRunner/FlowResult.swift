public import ReactorCore

/// The result of one run of a flow.
public struct FlowResult: Sendable, Hashable {
  /// The source of the records: persistence or the network.
  public var source: FetchSource
  /// Why the persisted result was not used; nil when it was used.
  public var miss: PersistenceMiss?
  /// The number of responses from which the records were read.
  public var pages: Int
  /// The number of records that match the schema.
  public var records: Int
  /// The number of records that do not match the schema and were left out.
  public var rejected: Int
  /// The number of records that a filter left out.
  public var filtered = 0
  /// The first rejections, in the order of the response.
  public var rejections: [PruneReport.Rejection]
  /// The number of decoded bytes of the response.
  public var bytes: Int
  /// The outcome of the save.
  public var save: SaveOutcome
  /// The duration of each step.
  public var timings: FlowTimings

  /// Builds a result.
  ///
  /// Without `pages`, the number of pages is 1 for a result from the network and 0 for a persisted result.
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
