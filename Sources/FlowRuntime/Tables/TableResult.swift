internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// The result of a flow in a table of a database.
struct TableResult: Sendable {
  let database: Database
  let table: ResolvedTable
  let schema: CompiledSchema
  let environment: FlowEnvironment

  init(_ table: ResolvedTable, _ schema: CompiledSchema, in environment: FlowEnvironment) {
    database = environment.database(of: table.store)
    self.table = table
    self.schema = schema
    self.environment = environment
  }

  /// The stamp of the table's last load; nil when nothing was loaded.
  func stamp() async throws(ReactorError) -> TableStamp? { try await database.stamp(of: table.name) }

  /// Loads records that no run staged for the table, for example because a Swift caller has replaced a closure of the
  /// flow.
  ///
  /// - Parameter flow: the id of their flow
  func replace(
    with model: RecordSet, _ provenance: Provenance, of flow: String, mode: TableLoad.Mode = .replace
  ) async throws(ReactorError) -> RecordSet {
    let layout = table.layout(of: schema.schema)
    var load = TableLoad(into: table.name, layout, mode: mode, flow: flow, provenance: provenance)
    load.isFrozen = table.isFrozen
    load.keepsVersions = table.keepsVersions
    load.condition = await condition(of: flow)
    let set = RecordSet(
      schema: schema.schema, count: model.count, format: model.format, content: model.content)
    let stamp = try await database.load(load, Database.Rows(set, layout))
    return records(of: stamp)
  }

  /// The condition for a load of a flow, when several processes take part in the run.
  func condition(of flow: String) async -> LoadCondition? {
    guard let membership = environment.membership, case .postgres(let url, _) = table.store.location else { return nil }
    return await membership.condition(flow, at: url)
  }

  /// The rows that the table has after a load. After a later load they cannot be read any more.
  func records(of stamp: TableStamp) -> RecordSet {
    RecordSet(
      schema: schema.schema, count: stamp.provenance.recordCount, format: .jsonLines, content: .file(rows(of: stamp)))
  }

  /// The rows that the table has after a load, as the content of a `RecordSet`.
  func rows(of stamp: TableStamp) -> any RecordFile {
    let layout = table.layout(of: schema.schema)
    return TableRecords(
      database: database, table: table.name,
      sql: database.query(of: table.name, layout, keepsVersions: table.keepsVersions), columns: layout.columns,
      load: stamp.load, newFeed: environment.newFeed)
  }
}

extension DeclaredFlow {
  /// The table of the result; nil when the flow does not load into a database.
  var tableResult: TableResult? {
    plan.result.target?.table.map { TableResult($0, plan.records.schema, in: environment) }
  }

  /// The run of this flow, as the database of its table remembers it.
  ///
  /// - Parameter began: the start of the flow's run, in milliseconds since 1970
  func tableRun(_ result: TableResult, since began: Int64) -> TableRun {
    TableRun(environment.run, of: plan.id, into: result.table.name, started: began)
  }

  /// Stores in the database that this run failed. If the database cannot be used either, this is not reported, because
  /// the flow's own error matters more.
  ///
  /// - Parameter error: the error, with secrets masked
  func noteFailure(_ error: ReactorError, since began: Int64) async {
    guard let result = tableResult, error.kind != .cancelled else { return }
    // The row of the run belongs to the process that has the flow.
    if let membership = environment.membership { do { try await membership.check(plan.id) } catch { return } }
    var run = tableRun(result, since: began)
    run.ended = environment.wallClock.milliseconds
    run.failure = error
    try? await result.database.note(run)
  }
}
