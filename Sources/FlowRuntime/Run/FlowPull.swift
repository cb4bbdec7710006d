internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// One part of a run, from its first request to the staged result.
///
/// Its methods run one after the other. One task uses the object, once.
final class FlowPull {
  private let part: RunPart
  private let flow: DeclaredFlow
  private let instruments: FlowInstruments
  private let rejected: RejectedRecords?
  private let cursorRun: CursorRun?
  private let provenance: Provenance
  private var requested = Requested()
  private var state: CursorState?
  private var count = 0

  /// Where the run continues after its result is published; nil at the end.
  var checkpoint: Checkpoint? { requested.checkpoint }

  private var outcome: Pull.Outcome { requested.outcome }

  init(_ part: RunPart) {
    self.part = part
    (flow, instruments, rejected) = (part.flow, part.instruments, part.rejected)
    // All requests of the run, and the state that it remembers, use the same present time.
    cursorRun = part.cursorRun()
    provenance = Provenance(
      writtenAt: flow.environment.wallClock.milliseconds, resource: flow.plan.key,
      schema: flow.plan.records.schema.fingerprint, recordCount: 0)
  }

  /// Requests all records of the flow and checks them against its expectations.
  ///
  /// After the check, the rejected records are published even if the check fails.
  func run() async throws(ReactorError) -> Fetched<RecordSet> {
    if flow.plan.download != nil { flow.environment.downloads.begin(flow.id) }
    do throws(ReactorError) {
      guard let requested = try await part.source(cursorRun).requestAll(into: sink) else {
        tellUndelivered()
        return await endWithoutRequest()
      }
      self.requested = requested
    } catch {
      throw await verdict(after: error)
    }
    if isUnchanged { return await unchanged() }
    reportProgress()
    do throws(ReactorError) {
      try await conclude()
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    return result()
  }

  /// Where the records go: to the result, and to child flows as they arrive.
  private var sink: any RecordSink {
    guard flow.streamsRecords, let feed = flow.feed else { return part.receiver }
    return FeedSink(result: part.receiver, writer: feed.writer, takesLines: !part.receiver.receivesLines)
  }

  /// Ends a run that had nothing to request. The persisted files do not change.
  private func endWithoutRequest() async -> Fetched<RecordSet> {
    await part.receiver.discard()
    await rejected?.discard()
    return Fetched(set(.notKept), FetchSummary())
  }

  private func set(_ content: RecordSet.Content) -> RecordSet {
    RecordSet(
      schema: flow.plan.records.schema.schema, count: count, format: part.receiver.format, content: content)
  }

  // MARK: - Checks

  /// The error to throw after an error during the requests. Publishes the rejected records if they explain the failure.
  private func verdict(after error: ReactorError) async -> ReactorError {
    guard let rejected, rejected.holdsVerdict(because: error) else { return error }
    instruments.observer(.pruned(rejected.report))
    return await rejected.publish(provenance, because: error)
  }

  private var isUnchanged: Bool { part.condition != nil && outcome.status == 304 }

  private func unchanged() async -> Fetched<RecordSet> {
    await rejected?.discard()
    guard var persisted = part.persisted else { return result() }
    // The persisted result is used again; only its age changes.
    persisted.validators = flow.storable(outcome.validators)
    return Fetched(
      persisted.staged,
      FetchSummary(
        source: .notModified, report: PruneReport(kept: persisted.provenance.recordCount), bytes: outcome.bytes,
        status: outcome.status, timings: outcome.timings))
  }

  private func reportProgress() {
    if outcome.report.rejected > 0 { instruments.observer(.pruned(outcome.report)) }
    if let movement = outcome.movement {
      warn(.movedList, movement)
    }
    if let doubt = outcome.doubt ?? undated {
      warn(.missingFields, doubt)
    }
    if let drift = outcome.drift { warn(.newMembers, drift) }
    if let shared = outcome.sharedKey { warn(.sharedKey, shared) }
  }

  private func warn(_ kind: FlowWarning.Kind, _ error: ReactorError) {
    instruments.observer(.warned(FlowWarning(kind, flow.plan.origin.locations.located(error))))
  }

  /// The warning about records without a value in the cursor's field, which the position ignores; nil if there are
  /// none.
  private var undated: ReactorError? {
    guard let cursor = flow.plan.cursor, cursor.keepsUndated, let count = outcome.greatest?.absent, count > 0 else {
      return nil
    }
    var error = ReactorError(
      .parser,
      "kept \(Expectations.records(count)) without a value in '\(cursor.field.value)'; "
        + "the cursor's position ignores them")
    error.key = "cursor.optional"
    error.help = "check whether the server leaves the field out permanently; 'optional: false' rejects such records"
    return error
  }

  private func conclude() async throws(ReactorError) {
    do throws(ReactorError) {
      try judge()
    } catch {
      throw await refusal(error)
    }
    tellUndelivered()
    try await finish()
    if let rejected, !isRejectedCommitted { try await rejected.publish(provenance) }
    instruments.observer(.finished(.parse, outcome.timings.parse ?? .zero))
  }

  /// Marks the records that this run delivers after an earlier run rejected them, so that their lines
  /// are removed from the file.
  ///
  /// After a retry, it also reports how many rejected records are still not delivered.
  private func tellUndelivered() {
    guard let rejected, let error = flow.undelivered(rejected.note(delivered: outcome.delivered)) else { return }
    if outcome.cut == nil { instruments.observer(.cutShort(error)) }
    requested.outcome.cut = outcome.cut ?? error
  }

  private func finish() async throws(ReactorError) {
    let finished = try await part.receiver.finish(outcome.report.kept, of: requested.ledger?.records ?? [])
    count = finished.count
    if let parents = finished.parents { state?.records = parents }
    // The result also contains the records retained from an earlier run.
    if flow.plan.mode == .replace, let ledger = requested.ledger {
      count += ledger.records.reduce(0) { $0 + ($1.since == nil ? 0 : $1.count) }
    }
  }

  private func judge() throws(ReactorError) {
    if flow.plan.download != nil, let clash = flow.environment.downloads.clash(of: flow.id) { throw clash }
    if flow.plan.isFullRefresh, let cut = outcome.cut { throw Self.incompleteRefresh(cut) }
    state = try flow.state(after: outcome, requested.ledger, part.known, cursorRun)
    if flow.plan.isIncremental { instruments.observer(.advanced(from: part.known?.position, to: state?.position)) }
    let expectations = flow.plan.records.expectations
    try expectations.check(
      outcome, isWhole: !flow.plan.isRetrying, loss: lossOfRejected)
    // With several requests, each one was already compared with its own total.
    if flow.plan.each == nil, flow.plan.cursor == nil { try expectations.checkTotal(outcome) }
  }

  /// How a record that this run rejects would be lost for good; nil if a later run can deliver it.
  private var lossOfRejected: LossOfRejected? {
    if flow.plan.isFullRefresh { return .removedByRefresh }
    guard flow.plan.cursor != nil, rejected == nil, flow.plan.result.target != nil else { return nil }
    return .passedByCursor
  }

  /// The error of a full refresh that did not read all records. If its result were persisted, the missing records would
  /// be lost.
  private static func incompleteRefresh(_ cut: ReactorError) -> ReactorError {
    var error = cut
    error.message = "a full refresh must read all records: \(cut.message)"
    error.help =
      "run it again with --fresh=everything when all records can be read; the result and the remembered state are "
      + "unchanged"
    return error
  }

  private func refusal(_ error: ReactorError) async -> ReactorError {
    await rejected?.publish(provenance, because: error) ?? error
  }

  /// Whether the rejected records are published when the result is committed, and not before.
  ///
  /// A retried record is removed from the rejected records only after the result with it is persisted. A result whose
  /// records are all rejected is never committed.
  private var isRejectedCommitted: Bool {
    guard let rejected else { return false }
    if flow.plan.isRetrying, flow.plan.result.target != nil { return true }
    return part.receiver.isBeside(rejected) && !outcome.report.isWhollyRejected
  }

  private func result() -> Fetched<RecordSet> {
    let ending = ResultEnding(
      report: outcome.report, count: count, bytes: outcome.bytes,
      validators: flow.plan.canAskForChanges ? flow.storable(outcome.validators) : Validators(), state: state,
      ledger: requested.ledger, rejected: isRejectedCommitted ? rejected : nil)
    return Fetched(
      set(part.receiver.content(ending)),
      FetchSummary(
        report: outcome.report, pages: outcome.pages, bytes: outcome.bytes, status: outcome.status,
        shortfall: outcome.cut, timings: outcome.timings))
  }
}
