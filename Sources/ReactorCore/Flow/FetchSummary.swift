public import Boxes

/// How a fetch went: the source of the model, the counts of its records, the save, and how long each step took.
///
/// It is a part of `Fetched`, the result of each flow of a run, and a part of the flow's state while the flow runs.
public struct FetchSummary: Sendable, Hashable {
  /// The source of the model: persistence or the network.
  ///
  /// A network flow may return `.notModified`, when only the age of the persisted model changes, and `.persistence`,
  /// when another run has persisted the model in the meantime, so that there is nothing to save.
  public var source: FetchSource
  /// Why the persisted result was not used; nil when it was used.
  @BoxedIfPresent public var miss: PersistenceMiss?
  /// The age of the persisted result that was used; nil if none was used, or if its age is unknown.
  public var age: Duration?
  /// The counts of kept and rejected records, and the first rejections; empty for a persisted result of a `Reactor`.
  public var report: PruneReport
  /// The number of responses from which the model was built; 0 for a persisted result.
  ///
  /// It may be more than 1 when a flow follows pages.
  public var pages: Int
  /// Length of the decoded bodies, in bytes; 0 for a persisted result.
  public var bytes: Int
  /// HTTP status of the response; nil when there was no HTTP response.
  public var status: Int?
  /// The outcome of the save.
  public var save: SaveOutcome
  /// Why the model is incomplete, when an incomplete model is accepted; nil when it is complete.
  @BoxedIfPresent public var shortfall: ReactorError?
  /// How long each step took.
  @Boxed public var timings: FlowTimings

  /// Builds a summary.
  ///
  /// - Parameter pages: by default, 0 for a persisted result, else 1.
  public init(
    source: FetchSource = .network, miss: PersistenceMiss? = nil, report: PruneReport = PruneReport(),
    pages: Int? = nil, bytes: Int = 0, status: Int? = nil, save: SaveOutcome = .notAsked,
    shortfall: ReactorError? = nil, timings: FlowTimings = FlowTimings()
  ) {
    self.source = source
    self.report = report
    self.pages = pages ?? (source == .persistence ? 0 : 1)
    self.bytes = bytes
    self.status = status
    self.save = save
    _miss = BoxedIfPresent(wrappedValue: miss)
    _shortfall = BoxedIfPresent(wrappedValue: shortfall)
    _timings = Boxed(wrappedValue: timings)
  }

  /// Builds a summary from the counts of its report.
  public init(
    source: FetchSource = .network, miss: PersistenceMiss? = nil, records: Int, rejected: Int = 0, filtered: Int = 0,
    rejections: [PruneReport.Rejection] = [], bytes: Int = 0, save: SaveOutcome = .notAsked,
    timings: FlowTimings = FlowTimings(), pages: Int? = nil
  ) {
    self.init(
      source: source, miss: miss,
      report: PruneReport(kept: records, rejected: rejected, filtered: filtered, rejections: rejections),
      pages: pages, bytes: bytes, save: save, timings: timings)
  }

  /// The number of records that match the schema.
  public var records: Int { report.kept }
  /// The number of records that do not match the schema and were left out.
  public var rejected: Int { report.rejected }
  /// The number of records that a filter left out.
  public var filtered: Int { report.filtered }
  /// The first rejections, in the order of the response.
  public var rejections: [PruneReport.Rejection] { report.rejections }
}
