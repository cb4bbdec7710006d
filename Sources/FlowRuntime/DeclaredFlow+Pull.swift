internal import FlowTerms
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// All records of the flow, judged by what it expects.
  func pull(
    by network: Network, into spool: RecordSpool?, _ letters: RejectedRecords?, _ instruments: FlowInstruments,
    unless kept: PersistedResult?, _ known: CursorState?
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    try await FlowPull(self, by: network, into: spool, letters, instruments, unless: kept, known).run()
  }

  /// Where the records go: alone, or joined with those that are there.
  func resultSink(_ spool: RecordSpool?, _ format: RecordFormat, _ mode: PersistenceMode) -> any ResultSink {
    let schema = plan.records.schema
    guard let spool else { return SpoolSink(nil, schema.plan, format: format, holds: plan.holdsRecords) }
    let old = OlderResult(spool: spool, schema: schema, isForgotten: plan.isFullRefresh)
    switch mode {
    case .replace: return SpoolSink(spool, schema.plan, format: format)
    case .append where plan.isRetrying && plan.retainsFailed:
      return PatchSink(
        OlderPartitions(self, under: spool), old, result: SpoolSink(spool, schema.plan, format: format),
        behind: AppendSink(old, format: format), holding: PartitionBuffer(in: environment))
    case .append: return AppendSink(old, format: format)
    case .merge: return MergeSink(old, format: format)
    }
  }
}
