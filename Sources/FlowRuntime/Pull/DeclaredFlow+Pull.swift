internal import Databases
internal import FlowTerms
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Reads the records of the run, or of the slices until the next checkpoint, and stages the result.
  ///
  /// - Parameters:
  ///   - began: the start of the flow's run, in milliseconds since 1970
  ///   - checkpoint: where the run goes on; nil at its start
  /// - Returns: the result, and where the run goes on when it is published; nil at the end
  func part(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64,
    after checkpoint: Checkpoint?
  ) async throws(ReactorError) -> (Parsed<RecordSet>, next: Checkpoint?) {
    // Take the path before the first request, so that a second run on the path fails before it sends a request.
    var spool: ResultSpool?
    if let output = plan.result.output {
      if plan.isRetrying, output.split != nil { throw Self.unretried(output) }
      let file = try await RecordSpool.open(
        output, plan.records.schema.plan, in: environment.root, isTolerant: !plan.result.failsOnSaveError,
        waiting: pathWait(instruments))
      if plan.isParent, let other = await resultOfAnotherRun(file, since: began) { return (other, nil) }
      spool = .file(file)
    }
    let table = try await tableBeginning()
    if let table {
      spool = .table(TableSpool(table.result, plan, base: table.base, run: tableRun(table.result, since: began)))
    }
    var rejected: RejectedRecords?
    var asking = self
    do throws(ReactorError) {
      if let target = plan.result.rejected {
        rejected = try await RejectedRecords.open(
          try await rejectedPlace(target), of: plan.id, isStrict: plan.records.isStrict, keeping: retainedRejected,
          mask: { self.masked($0) })
      }
      var known = if let checkpoint { checkpoint.known } else { plan.isIncremental ? try await known() : nil }
      // With parents, each one has its own first run.
      if plan.each == nil, checkpoint == nil, let first = inFirstRun(known?.value) {
        asking = first
        known?.value = nil
      }
      let pull = FlowPull(
        asking, by: network, into: spool, rejected, instruments,
        unless: asksForChanges ? await persisted(spool, table, since: began) : nil, known, after: checkpoint)
      return (try await pull.run(), pull.checkpoint)
    } catch {
      await spool?.discard()
      await rejected?.discard()
      throw asking.plan.origin.locations.located(error)
    }
  }

  /// The flow as it requests in its first run; nil if that is over, or if it requests like every other run.
  ///
  /// - Parameter position: the remembered value of the cursor, of the flow or of one parent
  func inFirstRun(_ position: String?) -> DeclaredFlow? {
    guard let firstRun, plan.cursor?.since == nil, !plan.isRetrying else { return nil }
    return position.map { isTooOld($0) } ?? true ? firstRun : nil
  }

  /// Whether the server may not have all changes since a position any more.
  private func isTooOld(_ position: String) -> Bool {
    guard let age = plan.firstRun?.againAfter, let kind = plan.cursor?.kind,
      let oldest = CursorValue.instant(environment.wallClock.now).moved(by: age, backwards: true)
    else { return false }
    return CursorValue(position, of: kind).map { $0 < oldest } ?? false
  }

  /// Takes the place of the rejected records: the lock of the file.
  private func rejectedPlace(_ target: ResultTarget) async throws(ReactorError) -> any RejectedPlace {
    switch target {
    case .file(let path): try await RecordSpool.open(path.output, in: environment.root, isTolerant: false)
    case .table(let table): RejectedTable(table, of: plan.id, in: environment)
    }
  }

  /// The persisted result for a conditional request; nil without one.
  private func persisted(
    _ spool: ResultSpool?, _ table: TableBeginning?, since began: Int64
  ) async -> PersistedResult? {
    guard plan.canAskForChanges else { return nil }
    // Validators that were received with one user's credentials must not be sent with another user's.
    let isWanted: @Sendable (Provenance) -> Bool = { [plan] in
      plan.mayUse($0) && $0.credentials == plan.auth.digest
    }
    if let table, let stamp = table.stamp {
      guard isWanted(stamp.provenance), case .file(let records) = table.result.records(0).content else { return nil }
      let run = tableRun(table.result, since: began)
      return PersistedResult(records: records, provenance: stamp.provenance) { (provenance) throws(ReactorError) in
        var run = run
        run.ended = provenance.writtenAt
        try await table.result.database.restamp(table.result.table.name, stamp, provenance, by: run)
      }
    }
    guard let spool = spool?.file, let (file, stamp) = await spool.persisted(where: { isWanted($0.provenance) }),
      let records = await records(of: file)
    else { return nil }
    return PersistedResult(records: records, provenance: stamp.provenance) {
      (provenance) throws(ReactorError) in try await spool.restamp(stamp, provenance)
    }
  }

  /// The records of an intact result; nil when one of its files is not intact.
  func records(of file: StoredFile) async -> (any RecordFile)? {
    try? await plan.result.output?.records(of: file, in: environment.root, plan.records.schema.plan)
  }

  private static func unretried(_ path: RecordPath) -> ReactorError {
    .persistence(
      "\(path.text) is replaced as a whole, so records of a retry cannot be added to it "
        + "(run the flow without --retry-rejected)", path: path.text)
  }

  /// What a table has when a run begins.
  struct TableBeginning: Sendable {
    let result: TableResult
    let stamp: TableStamp?
    let base: TableLoad.Base
  }

  /// Looks up what the flow's table has; nil for a flow that does not load into a table.
  ///
  /// New records are joined with those of one load. If another run loads the table meanwhile, the flow fails and
  /// stores nothing. A replaced table depends on no earlier load.
  private func tableBeginning() async throws(ReactorError) -> TableBeginning? {
    guard let result = tableResult else { return nil }
    let joins = plan.isIncremental || plan.mode != .replace || plan.labelsParents
    var stamp: TableStamp?
    do throws(ReactorError) {
      stamp = try await result.stamp()
    } catch {
      // A flow that must know the state cannot go on. Any other flow fails when it saves, if it still must.
      if joins || plan.result.failsOnSaveError { throw error }
    }
    return TableBeginning(result: result, stamp: stamp, base: joins ? .stamp(stamp) : .any)
  }

  /// The sink of the records: it stores them alone or joined with the older records.
  func resultSink(_ spool: ResultSpool?, _ format: RecordFormat, _ mode: PersistenceMode) -> any ResultSink {
    let schema = plan.records.schema
    if case .table(let table)? = spool { return TableSink(spool: table) }
    guard let spool = spool?.file else { return SpoolSink(nil, schema.plan, format: format, holds: plan.holdsRecords) }
    let isForgotten = plan.isFullRefresh || mode == .replace && plan.mergesNew
    let old = EarlierResult(spool: spool, schema: schema, isForgotten: isForgotten)
    switch mode {
    case .replace where plan.result.output?.split != nil: return SplitSink(spool: spool)
    case .replace where plan.mergesNew: return MergeSink(old, format: format)
    case .replace: return SpoolSink(spool, schema.plan, format: format)
    case .append where plan.isRetrying && plan.retainsFailed:
      return PatchSink(
        EarlierPartitions(self, under: spool), old, result: SpoolSink(spool, schema.plan, format: format),
        behind: AppendSink(old, format: format), holding: PartitionBuffer(in: environment))
    case .append: return AppendSink(old, format: format)
    case .merge: return MergeSink(old, format: format)
    }
  }
}
