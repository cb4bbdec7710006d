public import ReactorCore
internal import Records

/// The sources from which a run may take its result.
public enum FetchMode: String, Sendable, Hashable, CaseIterable {
  /// Use the persisted result if it is usable, else the network (`fetch`).
  case persistenceFirst
  /// Use the persisted result, whatever its age, if the server responds "not modified"; else use the network.
  case revalidate
  /// Use only the network (`fetchFromNetwork`), without the validators of a persisted result.
  case fresh
  /// Use only the persisted result. An expired result is not used.
  case offline
}

/// The result of one run of a flow.
public struct FlowOutcome: Sendable {
  /// The source of the records.
  public var source: FetchSource
  /// Why the run did not use the persisted result; nil when it did.
  public var miss: PersistenceMiss?
  /// The record counts and the rejections.
  public var report: PruneReport
  /// The number of responses that contained the records.
  public var pages: Int
  /// The size of the response bodies after decoding, in bytes.
  public var bytes: Int
  /// Whether and how the result was saved.
  public var save: SaveOutcome
  /// The time spent in each step.
  public var timings: FlowTimings

  init(_ fetched: Fetched<RecordSet>) {
    source = fetched.source
    miss = fetched.miss
    // The records of a persisted result were counted when it was written.
    report = fetched.source == .persistence ? PruneReport(kept: fetched.model.count) : fetched.report
    pages = fetched.pages
    bytes = fetched.bytes
    save = fetched.save
    timings = fetched.timings
  }
}
