internal import ReactorCore
internal import Records
internal import Storage

/// A complete result in staged files, with the state to remember and the rejected records.
struct StagedFileResult: StagedRecords {
  let taken: TakenPath
  let ending: ResultEnding

  func commit() async throws(ReactorError) -> RecordSet {
    let (spool, schema) = (taken.spool, taken.flow.plan.records.schema)
    let (root, path) = (spool.root, spool.path)
    var provenance = taken.flow.provenance(ending)
    // The records of a retry are added to a result whose age must not change.
    if taken.flow.plan.isRetrying, let old = try await root.stamp(of: path),
      old.provenance.resource == provenance.resource
    {
      provenance.writtenAt = min(old.provenance.writtenAt, provenance.writtenAt)
    }
    let state = try await ending.state?.stored(in: root, for: path)
    provenance.cursor = state
    let hasState = ending.state != nil
    let publication = try await spool.publish(provenance) { publication in
      // Remove old files under the lock: as soon as another run has the lock, it may write its own state.
      if hasState, publication.stampFailure == nil { await CursorState.tidy(root, for: path, keeping: state) }
    }
    publication.report(to: taken.observer)
    // Items that a retry has completed are removed from the rejected records only after their responses are persisted.
    try await ending.rejected?.publish(provenance)
    return RecordSet(
      schema: schema.schema, count: ending.count, format: path.format,
      content: .file(StoredRecords(publication, root: root, path: taken.path, plan: schema.plan)))
  }
}

extension Publication {
  /// Reports a result without a stamp. The file is complete and published, but later runs cannot identify it.
  func report(to observer: FlowObserver) {
    if let stampFailure { observer(.unstamped(stampFailure)) }
  }
}
