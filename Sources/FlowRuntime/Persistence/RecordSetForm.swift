internal import ReactorCore
internal import Records
internal import Storage

/// How the records of a declared flow lie in their file: staged while they were pulled, published with what is remembered.
struct RecordSetForm: Sendable {
  let schema: CompiledSchema
  /// Whether what is saved is added to a result whose age does not change by that.
  var isAddition = false
  let wallClock: WallClock
  /// Called when a result is persisted without a stamp.
  let observer: FlowObserver

  /// The form of records in a file.
  var form: InDiskPersistence<RecordSet>.Form {
    InDiskPersistence<RecordSet>.Form(
      schema: schema.fingerprint,
      read: { (file, stamp, path) async throws(ReactorError) -> RecordSet in
        RecordSet(
          schema: schema.schema, count: stamp.provenance.recordCount, format: path.format,
          content: .file(VerifiedRecords(file: file)))
      },
      publish: { (model, destination) async throws(ReactorError) -> RecordSet in
        // Nothing was asked for: nothing changes.
        if isAddition, case .notKept = model.content { return model }
        try await publish(model, at: destination)
        return RecordSet(
          schema: model.schema, count: model.count, format: destination.path.format,
          content: .file(StoredRecords(root: destination.root, path: destination.path)))
      })
  }

  private typealias Destination = InDiskPersistence<RecordSet>.Destination

  private func publish(_ model: RecordSet, at destination: Destination) async throws(ReactorError) {
    guard case .file(let file) = model.content else { return try await publishAnew(model, at: destination) }
    switch file {
    case let staged as StagedRecords: try await publish(staged, model.count, at: destination)
    case let same as PersistedResult: try await same.refresh(at: wallClock.milliseconds)
    default: try await publishAnew(model, at: destination)
    }
  }

  /// Publishes a staged set with what is remembered of it: a cursor, rejected records, the age of what it is added to.
  private func publish(_ staged: StagedRecords, _ count: Int, at destination: Destination) async throws(ReactorError) {
    let (root, path) = (destination.root, destination.path)
    var provenance = destination.provenance
    provenance.recordCount = count
    provenance.rejectedCount = staged.report.rejected
    provenance.etag = staged.validators.etag
    provenance.lastModified = staged.validators.lastModified
    if isAddition, let old = try await root.stamp(of: path), old.provenance.resource == provenance.resource {
      provenance.writtenAt = min(old.provenance.writtenAt, provenance.writtenAt)
    }
    let state = try await staged.state?.stored(in: root, for: path)
    provenance.cursor = state
    let hasState = staged.state != nil
    let publication = try await staged.spool.publish(provenance) { publication in
      // Under the lock: another run may write its own as soon as it has that.
      if hasState, publication.stampFailure == nil { await CursorState.tidy(root, for: path, keeping: state) }
    }
    report(publication)
    try await staged.rejected?.publish(provenance)
  }

  /// Publishes a set that was not staged here, because somebody replaced a closure of the flow.
  private func publishAnew(_ model: RecordSet, at destination: Destination) async throws(ReactorError) {
    let spool = try await RecordSpool.open(destination.path, in: destination.root, isTolerant: false)
    var provenance = destination.provenance
    provenance.recordCount = model.count
    do throws(ReactorError) {
      let out = RecordOutput(MappingPlan(model.schema.persisted), format: destination.path.format)
      try await model.read { (batch) throws(ReactorError) in
        out.append(batch)
      }
      try await spool.write(out.finish())
      report(try await spool.publish(provenance))
    } catch {
      await spool.discard()
      throw error
    }
  }

  /// A result without a stamp is whole and in place, but only this run knows what it is.
  private func report(_ publication: Publication) {
    if let failure = publication.stampFailure { observer(.unstamped(failure)) }
  }
}

/// Records that lie published under a path.
struct StoredRecords: RecordFile {
  let root: OutputRoot
  let path: OutputPath

  func body() async throws(ReactorError) -> ResponseBody {
    guard let file = try await root.open(path) else { throw .persistence("\(path) is gone", path: path.text) }
    return ResponseBody(StoredBytes(file))
  }
}

/// Records in an open file whose content was checked against its stamp; a later publication does not touch it.
struct VerifiedRecords: RecordFile {
  let file: StoredFile

  func body() async throws(ReactorError) -> ResponseBody { ResponseBody(StoredBytes(file)) }
}
