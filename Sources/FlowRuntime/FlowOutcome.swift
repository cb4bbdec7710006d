public import ReactorCore
internal import Records

/// Where a run may take results from.
public enum FetchMode: String, Sendable, Hashable, CaseIterable {
  /// The persisted result if it may be used, else the network (`fetch`).
  case persistenceFirst
  /// The persisted result if the server says that it is not modified, whatever its age; else the network.
  case revalidate
  /// The network (`fetchFromNetwork`), without the validators of a persisted result.
  case fresh
  /// The persisted result only; expired ones too are not used.
  case offline
}

/// What one run of a flow gave.
public struct FlowOutcome: Sendable {
  /// Where the records came from.
  public var source: FetchSource
  /// Why the persisted result was not used.
  public var miss: PersistenceMiss?
  /// Counts and rejections.
  public var report: PruneReport
  /// Responses that the records came from.
  public var pages: Int
  /// Decoded bytes of the responses.
  public var bytes: Int
  /// Whether and how the result was saved.
  public var save: SaveOutcome
  /// Time spent by step.
  public var timings: FlowTimings

  init(_ fetched: Fetched<RecordSet>) {
    source = fetched.source
    miss = fetched.miss
    // A persisted result was counted when it was made.
    report = fetched.source == .persistence ? PruneReport(kept: fetched.model.count) : fetched.report
    pages = fetched.pages
    bytes = fetched.bytes
    save = fetched.save
    timings = fetched.timings
  }
}
