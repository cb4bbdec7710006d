internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// How this flow waits for another run that writes its result; nil when it is not a parent flow.
  ///
  /// Shards of one run have the same parent flows, and each shard needs their records. For any other flow, two runs at
  /// the same time are an error, so the second run is refused immediately.
  func pathWait(_ instruments: FlowInstruments) -> PathWait? {
    guard plan.isParent else { return nil }
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
    let found = await spool.persisted { [plan] in
      $0.provenance.writtenAt > began && plan.mayUse($0.provenance) && $0.provenance.credentials == plan.auth.digest
    }
    guard let found, let records = await records(of: found.file) else { return nil }
    await spool.discard()
    return Fetched(
      RecordSet(
        schema: plan.records.schema.schema, count: found.stamp.provenance.recordCount, format: spool.path.format,
        content: .file(records)), FetchSummary(source: .persistence))
  }
}
