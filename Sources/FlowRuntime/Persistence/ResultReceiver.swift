internal import ReactorCore
internal import Records
internal import Storage

/// Receives the records of a run and makes them its result.
///
/// It is created when its target is locked, before the first request. `write` stages records, `finish` completes them.
/// They become visible when `content` is committed; until then, and after `discard`, the target has its earlier result.
protocol ResultReceiver: RecordSink {
  /// The format in which the result is read back.
  var format: RecordFormat { get }
  /// Whether the bytes that it receives are JSON Lines.
  var receivesLines: Bool { get }
  /// The locked file; nil for a result that is not a file.
  var spool: RecordSpool? { get }

  /// Encodes records into the bytes that `write` receives.
  func encoder(of plan: MappingPlan) -> any RecordEncoder
  /// Completes the staged result.
  ///
  /// - Parameters:
  ///   - pulled: the number of records that were written
  ///   - parents: the groups of these records by parent, in their order; empty when they are not known
  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult
  /// The staged records, as the content of a record set. They become visible when that content is committed.
  func content(_ ending: ResultEnding) -> RecordSet.Content
  /// Whether the result and these rejected records can be stored in one transaction.
  func isBeside(_ rejected: RejectedRecords) -> Bool
  /// The earlier result, if it is intact and its provenance is accepted; else nil. A conditional request then checks
  /// whether it has changed.
  func unmodified(where isWanted: @escaping @Sendable (Provenance) -> Bool) async -> UnmodifiedResult?
  /// Releases the target, which keeps its earlier result.
  func discard() async
}

extension ResultReceiver {
  var spool: RecordSpool? { nil }

  func isBeside(_ rejected: RejectedRecords) -> Bool { false }
}

/// A completed result, as its receiver returns it.
struct FinishedResult: Sendable {
  /// The number of records of the result.
  var count: Int
  /// The groups of the records by parent, if the receiver has joined the records with older ones; else nil.
  var parents: [ParentRecords]?
}

/// What is known about a result at the end of a run.
struct ResultEnding: Sendable {
  var report: PruneReport
  /// The number of records of the result.
  var count: Int
  /// The number of decoded bytes that were received.
  var bytes: Int
  var validators: Validators
  /// The state to remember with the result; nil for flows that remember no state.
  var state: CursorState?
  /// What the run learned about its parents; nil without parents.
  var ledger: EachLedger?
  /// The rejected records, if they are published with the result or after it; nil if they are published already.
  var rejected: RejectedRecords?
}

extension DeclaredFlow {
  /// The provenance of a result that is committed now.
  func provenance(_ ending: ResultEnding) -> Provenance {
    Provenance(
      writtenAt: environment.wallClock.milliseconds, resource: plan.key,
      schema: plan.records.schema.fingerprint, recordCount: ending.count, rejectedCount: ending.report.rejected,
      etag: ending.validators.etag, lastModified: ending.validators.lastModified, credentials: plan.auth.digest,
      run: environment.membership?.runHash)
  }
}
