internal import ReactorCore
internal import Records
internal import Storage

/// The persisted records of one declared flow: a file with a stamp that says what it belongs to.
struct FilePersistence: Persistence {
  let root: OutputRoot
  let path: OutputPath
  let schema: CompiledSchema
  /// What the result belongs to, hashed.
  let resourceKey: UInt64
  /// Digest of the credentials that its requests bear; nil without credentials.
  var credentials: UInt64? = nil
  /// Seconds for which a result may be used; nil is for ever.
  let expiresAfter: Double?
  /// Whether the flow asks for what is new each time it runs, unless it says how long a result may be used.
  var isIncremental = false
  /// Whether what is saved is added to a result whose age does not change by that.
  var isAddition = false
  let wallClock: WallClock
  /// Is told of results that are kept without a stamp.
  let observer: FlowObserver

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<RecordSet> {
    do throws(ReactorError) {
      return try await read()
    } catch {
      if error.kind == .cancelled { throw error }
      return .miss(.unreadable(error.message))
    }
  }

  private var claim: ResultClaim {
    ResultClaim(
      root: root, path: path, resourceKey: resourceKey, schema: schema.fingerprint, expiresAfter: expiresAfter,
      isIncremental: isIncremental, wallClock: wallClock)
  }

  private func read() async throws(ReactorError) -> PersistenceRead<RecordSet> {
    let look = try await claim.look()
    switch look {
    case .absent: return .miss(.absent)
    case .unknown: return .miss(.unreadable("nothing tells what \(path) belongs to"))
    case .refused(let reason): return .miss(reason)
    case .changed: return .miss(.unreadable("\(path) was changed after it was written"))
    case .intact(let file, let stamp):
      return .hit(
        RecordSet(
          schema: schema.schema, count: stamp.provenance.recordCount, format: path.format,
          content: .file(VerifiedRecords(file: file))))
    }
  }

  /// What a load would find, with what the stamp says of it.
  func look(for resource: Resource) async -> PersistenceLook {
    var look = PersistenceLook(miss: .absent)
    do throws(ReactorError) {
      if case .miss(let miss) = try await load(for: resource) { look.miss = miss } else { look.miss = nil }
      guard let stamp = try await root.stamp(of: path), stamp.provenance.resource == resourceKey else { return look }
      look.records = stamp.provenance.recordCount
      look.writtenAt = stamp.provenance.writtenAt
      if let expiresAfter {
        // More than a stamp can say is for ever.
        let lifetime = Int64(exactly: (expiresAfter * 1000).rounded())
        let (end, isTooLate) = stamp.provenance.writtenAt.addingReportingOverflow(lifetime ?? .max)
        look.expiresAt = isTooLate ? nil : end
      }
    } catch {
      look.miss = .unreadable(error.message)
    }
    return look
  }

  func save(_ model: RecordSet, for resource: Resource) async throws(ReactorError) -> RecordSet {
    // Nothing was asked for: nothing changes.
    if isAddition, case .notKept = model.content { return model }
    guard case .file(let file) = model.content, let staged = file as? StagedRecords else {
      return try await saveUnstaged(model)
    }
    if isAddition || staged.letters != nil || staged.state != nil {
      try await saveWithState(staged, model.count)
    } else {
      tell(try await staged.spool.publish(provenance(of: staged, model.count)))
    }
    return kept(model)
  }

  /// What needs no publication, or was not staged here.
  @inline(never)
  private func saveUnstaged(_ model: RecordSet) async throws(ReactorError) -> RecordSet {
    guard case .file(let file) = model.content, let same = file as? KeptResult else { return try await saveAnew(model) }
    try await same.refresh(at: wallClock.milliseconds)
    return kept(model)
  }

  /// The set as it is kept.
  @inline(never)
  private func kept(_ model: RecordSet) -> RecordSet {
    RecordSet(
      schema: model.schema, count: model.count, format: path.format,
      content: .file(StoredRecords(root: root, path: path)))
  }

  @inline(never)
  private func provenance(of staged: StagedRecords, _ count: Int) -> Provenance {
    var provenance = provenance(count, staged.report.rejected)
    provenance.etag = staged.validators.etag
    provenance.lastModified = staged.validators.lastModified
    return provenance
  }

  /// Publishes a set with what else is remembered of it: a cursor, rejected records, the age of what it is added to.
  @inline(never)
  private func saveWithState(_ staged: StagedRecords, _ count: Int) async throws(ReactorError) {
    var provenance = provenance(of: staged, count)
    if isAddition, let old = try await root.stamp(of: path), old.provenance.resource == resourceKey {
      provenance.writtenAt = min(old.provenance.writtenAt, provenance.writtenAt)
    }
    let state = try await staged.state?.stored(in: root, for: path)
    provenance.cursor = state
    let (root, path, hasState) = (root, path, staged.state != nil)
    let publication = try await staged.spool.publish(provenance) { publication in
      // Under the lock: another run may keep its own as soon as it has that.
      if hasState, publication.stampFailure == nil { await CursorState.tidy(root, for: path, keeping: state) }
    }
    tell(publication)
    try await staged.letters?.publish(provenance)
  }

  /// A set that was not staged here, because somebody replaced a closure of the flow: it is written from its records.
  @inline(never)
  private func saveAnew(_ model: RecordSet) async throws(ReactorError) -> RecordSet {
    let spool = try await RecordSpool.open(path, in: root, isTolerant: false)
    do throws(ReactorError) {
      let out = RecordOutput(MappingPlan(model.schema.persisted), format: path.format)
      try await model.read { (batch) throws(ReactorError) in
        out.append(batch)
      }
      try await spool.write(out.finish())
      tell(try await spool.publish(provenance(model.count, 0)))
    } catch {
      await spool.discard()
      throw error
    }
    return kept(model)
  }

  /// A result without a stamp is whole and in place, but only this run knows what it is.
  private func tell(_ publication: Publication) {
    if let failure = publication.stampFailure { observer(.unstamped(failure)) }
  }

  private func provenance(_ count: Int, _ rejected: Int) -> Provenance {
    Provenance(
      writtenAt: wallClock.milliseconds, resource: resourceKey, schema: schema.fingerprint, recordCount: count,
      rejectedCount: rejected, credentials: credentials)
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
