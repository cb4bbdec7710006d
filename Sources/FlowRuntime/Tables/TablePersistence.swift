internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// Persists the result of a declared flow in a table.
struct TablePersistence: ResultPersistence {
  let result: TableResult
  let plan: FlowPlan
  let key: @Sendable (Resource) -> UInt64
  let expiresAfter: Duration?
  let asksEachRun: Bool
  let credentials: UInt64?
  let wallClock: WallClock

  private func rules(_ key: UInt64) -> ResultRules {
    ResultRules(
      key: key, schema: result.schema.fingerprint, expiresAfter: expiresAfter, asksEachRun: asksEachRun,
      wallClock: wallClock)
  }

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<RecordSet> {
    try ReactorError.checkCancellation()
    do throws(ReactorError) {
      guard let stamp = try await result.stamp() else { return .miss(.absent) }
      if let miss = rules(key(resource)).miss(stamp.provenance) { return .miss(miss) }
      guard stamp.isIntact else {
        return .miss(.unreadable("the rows of the table '\(result.table.name)' were changed after its last load"))
      }
      return .hit(result.records(of: stamp).written(at: stamp.provenance.writtenAt))
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.description))
    }
  }

  func save(_ model: RecordSet, for resource: Resource) async throws(ReactorError) -> RecordSet {
    try ReactorError.checkCancellation()
    switch model.content {
    case .staged(let staged): return try await staged.commit()
    // A retry that requested nothing changes nothing.
    case .notKept: return model
    case .memory, .file:
      // The records were not staged, because a caller has replaced a closure of the flow.
      return try await result.replace(
        with: model,
        Provenance(
          writtenAt: wallClock.milliseconds, resource: key(resource), schema: result.schema.fingerprint,
          recordCount: model.count, credentials: credentials), of: plan.id, mode: plan.loadMode)
    }
  }

  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    guard let stamp = try await result.stamp(), stamp.provenance.resource == key(resource) else { return nil }
    return stamp.provenance
  }

  func expiry(of provenance: Provenance) -> Int64? { rules(provenance.resource).expiry(of: provenance) }
}

/// A persistence of record sets that also returns the provenance and the expiry of a result.
protocol ResultPersistence: Persistence<RecordSet> {
  /// The provenance of a resource's result, whatever its age; nil without a result.
  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance?
  /// When a result expires, in milliseconds since 1970; nil when it never expires.
  func expiry(of provenance: Provenance) -> Int64?
}

extension InDiskPersistence: ResultPersistence where Model == RecordSet {
  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    try await stamp(for: resource)?.provenance
  }
}
