internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// How a run that writes the flow's result is waited for; nil for a flow that is no parent.
  ///
  /// Shards of one run have the same parents, and each of them needs their records. Any other flow is refused at once:
  /// two runs of it at a time are an error.
  func pathWait(_ instruments: FlowInstruments) -> PathWait? {
    guard plan.isParent else { return nil }
    return PathWait(
      delay: environment.patience.delay, stopwatch: instruments.stopwatch,
      deadline: instruments.stopwatch.reading() + .seconds(plan.transfer.timeout)
    ) { path in instruments.observer(.waitingForRun(path: path.text)) }
  }

  /// The result that another run has persisted since this run began; the path is released then. Nil without one.
  ///
  /// - Parameter began: in milliseconds since 1970
  func resultOfAnotherRun(_ spool: RecordSpool?, since began: Int64) async -> Parsed<RecordSet>? {
    guard let spool, !isForced else { return nil }
    let found = await spool.persisted { [plan] in
      $0.provenance.writtenAt > began && plan.mayUse($0) && $0.provenance.credentials == plan.auth.digest
    }
    guard let found else { return nil }
    await spool.discard()
    var parsed = Parsed(
      RecordSet(
        schema: plan.records.schema.schema, count: found.stamp.provenance.recordCount, format: spool.path.format,
        content: .file(VerifiedRecords(file: found.file))))
    parsed.isPersisted = true
    return parsed
  }
}
