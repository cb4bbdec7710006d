internal import ReactorCore
internal import Records
internal import Storage

/// A persisted result for which a conditional request checks whether the server's data is unmodified.
struct UnmodifiedResult: StagedRecords {
  /// The records, readable repeatedly.
  private let records: any RecordFile
  let provenance: Provenance
  private let flow: DeclaredFlow
  private let format: RecordFormat
  /// Replaces the provenance that is stored with the result.
  private let restamp: @Sendable (Provenance) async throws(ReactorError) -> Void
  /// The validators of the "not modified" response; empty when it has none.
  var validators = Validators()

  init(
    _ records: any RecordFile, _ provenance: Provenance, of flow: DeclaredFlow, _ format: RecordFormat,
    restamp: @escaping @Sendable (Provenance) async throws(ReactorError) -> Void
  ) {
    self.records = records
    self.provenance = provenance
    self.flow = flow
    self.format = format
    self.restamp = restamp
  }

  /// Stores with the result that the server has just confirmed it as unmodified.
  func commit() async throws(ReactorError) -> RecordSet {
    var provenance = provenance
    provenance.writtenAt = flow.environment.wallClock.milliseconds
    provenance.etag = validators.etag ?? provenance.etag
    provenance.lastModified = validators.lastModified ?? provenance.lastModified
    try await restamp(provenance)
    return recordSet(.file(records))
  }

  /// The result as a record set. When it is committed, only its age changes.
  var staged: RecordSet { recordSet(.staged(self)) }

  private func recordSet(_ content: RecordSet.Content) -> RecordSet {
    RecordSet(
      schema: flow.plan.records.schema.schema, count: provenance.recordCount, format: format, content: content)
  }
}
