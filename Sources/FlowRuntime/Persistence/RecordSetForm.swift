internal import ReactorCore
internal import Records
internal import Storage

/// Reads and publishes the file of a declared flow's records.
///
/// The records are staged during the pull, then published with the state to remember.
struct RecordSetForm: Sendable {
  let path: RecordPath
  let root: OutputRoot
  let schema: CompiledSchema
  /// Whether the saved records are added to a result whose age must not change.
  var isAddition = false
  let wallClock: WallClock
  /// Called when a result is persisted without a stamp.
  let observer: FlowObserver

  /// The format of the records in a file.
  var form: InDiskPersistence<RecordSet>.Form {
    InDiskPersistence<RecordSet>.Form(
      schema: schema.fingerprint,
      read: { (file, stamp, _) async throws(ReactorError) -> RecordSet in
        RecordSet(
          schema: schema.schema, count: stamp.provenance.recordCount, format: path.output.format,
          content: .file(try await path.records(of: file, in: root, schema.plan)))
      },
      publish: { (model, destination) async throws(ReactorError) -> RecordSet in
        // A retry that requested nothing changes nothing.
        if isAddition, case .notKept = model.content { return model }
        try await publish(model, at: destination)
        return RecordSet(
          schema: model.schema, count: model.count, format: destination.path.format,
          content: .file(StoredRecords(root: destination.root, path: path, plan: schema.plan)))
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

  /// Publishes staged records with the cursor, the rejected records and the age of the older result.
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
      // Remove old files under the lock: as soon as another run has the lock, it may write its own state.
      if hasState, publication.stampFailure == nil { await CursorState.tidy(root, for: path, keeping: state) }
    }
    report(publication)
    try await staged.rejected?.publish(provenance)
  }

  /// Publishes records that were not staged here. A caller has replaced a closure of the flow.
  private func publishAnew(_ model: RecordSet, at destination: Destination) async throws(ReactorError) {
    let spool = try await RecordSpool.open(path, schema.plan, in: destination.root, isTolerant: false)
    var provenance = destination.provenance
    provenance.recordCount = model.count
    do throws(ReactorError) {
      if case .split = spool.form {
        let out = spool.form.encoder(of: MappingPlan(model.schema.persisted))
        try await model.read { (batch) throws(ReactorError) in
          try out.append(batch)
        }
        try await spool.append(out.finish())
      } else {
        let out = RecordOutput(MappingPlan(model.schema.persisted), format: destination.path.format)
        try await model.read { (batch) throws(ReactorError) in
          out.append(batch)
        }
        try await spool.write(out.finish())
      }
      report(try await spool.publish(provenance))
    } catch {
      await spool.discard()
      throw error
    }
  }

  /// Reports a result without a stamp. The file is complete and published, but later runs cannot identify it.
  private func report(_ publication: Publication) {
    if let failure = publication.stampFailure { observer(.unstamped(failure)) }
  }
}

/// Published records, read by their path.
struct StoredRecords: RecordFile {
  let root: OutputRoot
  let path: RecordPath
  let plan: MappingPlan

  func body() async throws(ReactorError) -> ResponseBody {
    guard let file = try await root.open(path.output) else {
      throw .persistence("\(path.text) is gone", path: path.text)
    }
    return try await path.records(of: file, in: root, plan).body()
  }
}

/// Records in an open file whose content matched its stamp. A later publication does not change the file.
struct VerifiedRecords: RecordFile {
  let file: StoredFile

  func body() async throws(ReactorError) -> ResponseBody { ResponseBody(file.content()) }
}
