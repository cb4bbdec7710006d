internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// How a run begins: it writes its own result, or uses the one that another run has just persisted.
  enum Beginning {
    /// The run writes its own result to this receiver.
    case receiver(any ResultReceiver)
    /// Another run has persisted the result in the meantime.
    case another(Fetched<RecordSet>)
  }

  /// Waits until no other run of this environment is writing the target of the result; nil if runs need not wait.
  ///
  /// For a table, only fetches by a Swift caller wait, because an earlier fetch is perhaps not saved yet. Other runs
  /// pull without a lock; their load fails if another run has loaded the table meanwhile.
  func turn() async throws(ReactorError) -> ResultTurns.Turn? {
    guard let target = plan.result.target?.text ?? plan.result.rejected?.text else { return nil }
    if plan.result.target?.table != nil, !isDetached { return nil }
    return try await environment.turns.take(target, within: .seconds(plan.timeout))
  }

  /// Locks the target of the result before the first request, so that a second run fails before it sends one.
  ///
  /// - Parameter began: the start of the flow's run, in milliseconds since 1970
  func begin(_ instruments: FlowInstruments, since began: Int64) async throws(ReactorError) -> Beginning {
    let schema = plan.records.schema.plan
    switch plan.result.target {
    case nil: return .receiver(MemoryReceiver(schema, holds: plan.holdsRecords))
    case .table(let table):
      return .receiver(try await begin(TableResult(table, plan.records.schema, in: environment), since: began))
    case .file(let path):
      if plan.isRetrying, path.split != nil { throw Self.unretried(path) }
      let spool: RecordSpool
      do throws(ReactorError) {
        spool = try await RecordSpool.open(
          path, schema, in: environment.root, isTolerant: !plan.result.failsOnSaveError, waiting: pathWait(instruments))
      } catch {
        guard error.isOtherRun, environment.otherRuns == .skip else { throw error }
        var skipped = ReactorError(.cancelled, "another run of this flow is writing \(path.text)", path: path.text)
        skipped.isOtherRun = true
        throw skipped
      }
      if plan.isParent, let other = await resultOfAnotherRun(spool, since: began) { return .another(other) }
      if let other = await resultOfThisRun(spool) { return .another(other) }
      return .receiver(
        receiver(TakenPath(path: path, spool: spool, flow: self, observer: instruments.observer)))
    }
  }

  /// The receiver of a file: it stores the records alone or joined with the older records.
  private func receiver(_ taken: TakenPath) -> any ResultReceiver {
    let isForgotten = plan.isFullRefresh || plan.mode == .replace && plan.mergesNew
    let old = EarlierResult(spool: taken.spool, schema: plan.records.schema, isForgotten: isForgotten)
    switch plan.mode {
    case .replace:
      if let template = taken.spool.template { return SplitReceiver(taken: taken, template: template) }
      return plan.mergesNew ? MergeReceiver(taken, with: old) : FileReceiver(taken)
    case .append where plan.isRetrying && plan.retainsFailed:
      return PatchReceiver(taken, EarlierPartitions(self, under: taken.spool), after: old)
    case .append:
      // Some stored records may be requested again. A record with the same key and cursor value is the same record.
      if let rank = plan.cursor?.rank, !plan.records.schema.schema.key.isEmpty {
        return MergeReceiver(taken, with: old, key: plan.records.schema.schema.key + [rank])
      }
      return AppendReceiver(taken, after: old)
    case .merge: return MergeReceiver(taken, with: old)
    }
  }

  /// The receiver of a table.
  ///
  /// New records are joined with the rows of the last load. If another run loads the table meanwhile, the flow fails
  /// and stores nothing. A table that is replaced as a whole does not depend on earlier loads.
  private func begin(_ result: TableResult, since began: Int64) async throws(ReactorError) -> TableReceiver {
    // A process that was stopped for longer than its lease must not replace the load of the one that has its flow now.
    let joins =
      plan.isIncremental || plan.mode != .replace || plan.labelsParents || environment.membership != nil
    var stamp: TableStamp?
    do throws(ReactorError) {
      stamp = try await result.stamp()
    } catch {
      // A flow that needs the state fails now. Any other flow fails when it saves, unless that failure is tolerated.
      if joins || plan.result.failsOnSaveError { throw error }
    }
    return TableReceiver(
      result, of: self, from: joins ? .stamp(stamp) : .any, stamp, by: tableRun(result, since: began))
  }

  private static func unretried(_ path: RecordPath) -> ReactorError {
    .persistence(
      "\(path.text) is replaced as a whole, so records of a retry cannot be added to it "
        + "(run the flow without --fresh=rejected)", path: path.text)
  }

  /// How this flow waits for another run that writes its result; nil when it does not wait.
  ///
  /// A parent flow always waits: shards of one run have the same parent flows, and each shard needs their records. For
  /// any other flow, the operator decides what happens when another run is in progress (`OtherRunPolicy`).
  func pathWait(_ instruments: FlowInstruments) -> PathWait? {
    guard plan.isParent || environment.otherRuns == .wait else { return nil }
    return PathWait(
      delay: environment.patience.delay, stopwatch: instruments.stopwatch,
      deadline: instruments.stopwatch.reading() + .seconds(plan.timeout)
    ) { path in instruments.observer(.waitingForRun(path: path.text)) }
  }

  /// The result that another run has persisted since this run began; nil without one.
  ///
  /// Releases the path when such a result exists.
  ///
  /// - Parameter began: the start of this run, in milliseconds since 1970
  func resultOfAnotherRun(_ spool: RecordSpool, since began: Int64) async -> Fetched<RecordSet>? {
    guard !isForced else { return nil }
    return await result(in: spool) { $0.writtenAt > began }
  }

  /// The result that another process of this run has published while this one waited for the path; nil without one.
  ///
  /// That process was stopped after the check of its claim. Releases the path when such a result exists.
  func resultOfThisRun(_ spool: RecordSpool) async -> Fetched<RecordSet>? {
    guard let run = await repeatedRun else { return nil }
    return await result(in: spool) { $0.run == run }
  }

  private func result(
    in spool: RecordSpool, where isWanted: @escaping @Sendable (Provenance) -> Bool
  ) async -> Fetched<RecordSet>? {
    let found = await spool.persisted { [plan] in
      isWanted($0.provenance) && plan.mayUse($0.provenance) && $0.provenance.credentials == plan.auth.digest
    }
    guard let found, let records = await records(of: found.file) else { return nil }
    await spool.discard()
    return Fetched(
      RecordSet(
        schema: plan.records.schema.schema, count: found.stamp.provenance.recordCount, format: spool.path.format,
        content: .file(records)), FetchSummary(source: .persistence))
  }

  /// The records of an intact result; nil when one of its files is not intact.
  func records(of file: StoredFile) async -> (any RecordFile)? {
    try? await plan.result.target?.path?.records(of: file, in: environment.root, plan.records.schema.plan)
  }
}
