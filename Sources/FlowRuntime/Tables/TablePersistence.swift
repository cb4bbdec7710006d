internal import Databases
internal import ReactorCore
internal import Records
internal import Storage

/// Persists the result of a declared flow in a table.
struct TablePersistence: ResultPersistence {
  let result: TableResult
  let plan: FlowPlan
  let key: @Sendable (Resource) -> UInt64
  let expiresAfter: Duration?
  let isIncremental: Bool
  let credentials: UInt64?
  let wallClock: WallClock

  private func rules(_ key: UInt64) -> ResultRules {
    ResultRules(
      key: key, schema: result.schema.fingerprint, expiresAfter: expiresAfter, isIncremental: isIncremental,
      wallClock: wallClock)
  }

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<RecordSet> {
    try ReactorError.checkCancellation()
    do throws(ReactorError) {
      guard let stamp = try await result.stamp() else { return .miss(.absent) }
      if let miss = rules(key(resource)).miss(stamp.provenance) { return .miss(miss) }
      return .hit(result.records(stamp.provenance.recordCount))
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  func save(_ model: RecordSet, for resource: Resource) async throws(ReactorError) -> RecordSet {
    try ReactorError.checkCancellation()
    var provenance = Provenance(
      writtenAt: wallClock.milliseconds, resource: key(resource), schema: result.schema.fingerprint,
      recordCount: model.count, credentials: credentials)
    guard case .file(let file) = model.content else {
      // A retry that requested nothing changes nothing.
      if case .notKept = model.content { return model }
      return try await loadAnew(model, provenance)
    }
    switch file {
    case let same as PersistedResult:
      try await same.refresh(at: provenance.writtenAt)
      return model
    case let spool as TableSpool:
      guard let ending = spool.ending else { return model }
      provenance.rejectedCount = ending.report.rejected
      provenance.etag = ending.validators.etag
      provenance.lastModified = ending.validators.lastModified
      provenance.cursor = ending.state?.inline
      let stamp = try await spool.publish(provenance)
      if ending.rejectedBeside == nil { try await ending.rejected?.publish(provenance) }
      return result.records(stamp.provenance.recordCount)
    default: return try await loadAnew(model, provenance)
    }
  }

  /// Loads records that were not staged here. A caller has replaced a closure of the flow.
  private func loadAnew(_ model: RecordSet, _ provenance: Provenance) async throws(ReactorError) -> RecordSet {
    let schema = result.schema.schema
    let layout = result.table.layout(of: schema)
    var load = TableLoad(
      into: result.table.name, layout, mode: plan.loadMode, flow: plan.id, provenance: provenance)
    load.isFrozen = result.table.isFrozen
    load.keepsVersions = result.table.keepsVersions
    let records = RecordSet(schema: schema, count: model.count, format: model.format, content: model.content)
    let stamp = try await result.database.load(load, Database.Rows(records, layout))
    return result.records(stamp.provenance.recordCount)
  }

  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    guard let stamp = try await result.stamp(), stamp.provenance.resource == key(resource) else { return nil }
    return stamp.provenance
  }

  func expiry(of provenance: Provenance) -> Int64? { rules(provenance.resource).expiry(of: provenance) }
}

/// A persistence of records that shows when a result was fetched.
protocol ResultPersistence: Persistence<RecordSet> {
  /// The origin of a resource's result, whatever its age; nil without one.
  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance?
  /// When a result expires, in milliseconds since 1970; nil when it never expires.
  func expiry(of provenance: Provenance) -> Int64?
}

extension InDiskPersistence: ResultPersistence where Model == RecordSet {
  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    try await stamp(for: resource)?.provenance
  }
}
