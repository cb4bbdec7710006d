internal import FlowTerms
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Sends the requests and reads their records on the way to the staged result.
  ///
  /// - Parameter began: when the flow's run began, in milliseconds since 1970
  func fetch(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    // The path is taken before the request: a second run on it is refused before it costs anything.
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

  /// The persisted result that the server may call not modified; nil without one.
  private func persisted(_ spool: RecordSpool?) async -> PersistedResult? {
    guard plan.canAskForChanges else { return nil }
    // The validators that one user got must not be sent for another.
    return await spool?.persisted { [plan] in plan.mayUse($0) && $0.provenance.credentials == plan.auth.digest }
  }

  /// Where the records go: alone, or joined with those that are there.
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
