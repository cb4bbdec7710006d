internal import FlowTerms
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Sends the requests, reads their records and stages the result.
  ///
  /// - Parameter began: the start of the flow's run, in milliseconds since 1970
  func fetch(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    // Take the path before the first request, so that a second run on the path fails before it sends a request.
    var spool: RecordSpool?
    if let output = plan.result.output?.output {
      spool = try await RecordSpool.open(
        output, in: environment.root, isTolerant: !plan.result.failsOnSaveError, waiting: pathWait(instruments))
      if plan.isParent, let other = await resultOfAnotherRun(spool, since: began) { return other }
    }
    var rejected: RejectedRecords?
    do throws(ReactorError) {
      if let path = plan.result.rejected?.output {
        rejected = try await RejectedRecords.open(
          path, in: environment.root, of: plan.id, isStrict: plan.records.isStrict, keeping: retainedRejected,
          mask: { self.masked($0) })
      }
      let pull = FlowPull(
        self, by: network, into: spool, rejected, instruments, unless: asksForChanges ? await persisted(spool) : nil,
        plan.isIncremental ? try await known() : nil)
      return try await pull.run()
    } catch {
      await spool?.discard()
      await rejected?.discard()
      throw error
    }
  }

  /// The persisted result for a conditional request; nil without one.
  private func persisted(_ spool: RecordSpool?) async -> PersistedResult? {
    guard plan.canAskForChanges else { return nil }
    // Validators that were received with one user's credentials must not be sent with another user's.
    return await spool?.persisted { [plan] in plan.mayUse($0) && $0.provenance.credentials == plan.auth.digest }
  }

  /// The sink of the records: it stores them alone or joined with the older records.
  func resultSink(_ spool: RecordSpool?, _ format: RecordFormat, _ mode: PersistenceMode) -> any ResultSink {
    let schema = plan.records.schema
    guard let spool else { return SpoolSink(nil, schema.plan, format: format, holds: plan.holdsRecords) }
    let old = EarlierResult(spool: spool, schema: schema, isForgotten: plan.isFullRefresh)
    switch mode {
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
