internal import ReactorCore
internal import Records
internal import Storage

/// Reads and publishes the file of a declared flow's records.
///
/// The records of a run are staged while they arrive, and are committed here.
struct RecordSetForm: Sendable {
  /// How long a run waits to write records that were not staged, while another run is writing to their path.
  static let longestWait = Duration.seconds(60)

  let path: RecordPath
  let root: OutputRoot
  let schema: CompiledSchema
  /// Whether the run is a retry. Its records are added to the older result, whose age must not change.
  var isAddition = false
  /// Waits until this run may write to the path; nil if the caller has waited already.
  var turn: (@Sendable () async throws(ReactorError) -> ResultTurns.Turn)?
  /// Called when a result is persisted without a stamp.
  let observer: FlowObserver

  /// The closures with which `InDiskPersistence` reads a result from its file and publishes a new result.
  var form: InDiskPersistence<RecordSet>.Form {
    InDiskPersistence<RecordSet>.Form(
      schema: schema.fingerprint,
      read: { (file, stamp, _) async throws(ReactorError) -> RecordSet in
        RecordSet(
          schema: schema.schema, count: stamp.provenance.recordCount, format: path.output.format,
          content: .file(try await path.records(of: file, in: root, schema.plan))
        ).written(at: stamp.provenance.writtenAt)
      },
      publish: { (model, destination) async throws(ReactorError) -> RecordSet in
        switch model.content {
        case .staged(let staged): return try await staged.commit()
        // A retry that requested nothing changes nothing.
        case .notKept where isAddition: return model
        case .notKept, .memory, .file:
          // The records were not staged, because a caller has replaced a closure of the flow.
          let turn = try await turn?()
          defer { turn?.end() }
          let publication = try await write(model, destination.provenance)
          return RecordSet(
            schema: model.schema, count: model.count, format: destination.path.format,
            content: .file(StoredRecords(publication, root: destination.root, path: path, plan: schema.plan)))
        }
      })
  }

  /// Publishes records that were not staged for this path.
  @discardableResult func write(
    _ model: RecordSet, _ provenance: Provenance
  ) async throws(ReactorError) -> Publication {
    let spool = try await RecordSpool.open(path, schema.plan, in: root, isTolerant: false)
    var provenance = provenance
    provenance.recordCount = model.count
    let (plan, format) = (MappingPlan(model.schema.persisted), path.output.format)
    do throws(ReactorError) {
      if let template = spool.template {
        let out = SplitOutput(plan, format: format, paths: template)
        try await Self.pour(model, through: out) { (frames) async throws(ReactorError) in
          try await spool.append(frames)
        }
      } else {
        try await Self.pour(model, through: RecordOutput(plan, format: format)) { (piece) async throws(ReactorError) in
          try await spool.write(piece)
        }
      }
      let publication: Publication = try await spool.publish(provenance)
      publication.report(to: observer)
      return publication
    } catch {
      await spool.discard()
      throw error
    }
  }

  /// Encodes all records and passes their bytes to a closure, in pieces.
  private static func pour(
    _ model: RecordSet, through out: any RecordEncoder, _ take: ([UInt8]) async throws(ReactorError) -> Void
  ) async throws(ReactorError) {
    try await model.read { (batch) throws(ReactorError) in
      try out.append(batch)
    } pause: { () async throws(ReactorError) in
      if let piece = out.takePiece() { try await take(piece) }
    }
    try await take(out.finish())
  }
}

/// Published records, read from their path. They can be read until the path has other content.
///
/// No file is held open, because a program may have the results of thousands of flows.
struct StoredRecords: RecordFile {
  let root: OutputRoot
  let path: RecordPath
  let plan: MappingPlan
  private let size: Int64
  private let hash: UInt64

  init(_ publication: Publication, root: OutputRoot, path: RecordPath, plan: MappingPlan) {
    (size, hash) = (publication.size, publication.hash)
    self.root = root
    self.path = path
    self.plan = plan
  }

  func body() async throws(ReactorError) -> ResponseBody {
    guard let file = try await root.open(path.output) else {
      throw .persistence("the file \(path.text) does not exist any more", path: path.text)
    }
    guard file.size == size, try await file.fingerprint() == (size, hash) else { throw .replacedSince(path.text) }
    return try await path.records(of: file, in: root, plan).body()
  }
}

/// Records in an open file whose content matched its stamp. A later publication does not change the file.
struct VerifiedRecords: RecordFile {
  let file: StoredFile

  func body() async throws(ReactorError) -> ResponseBody { ResponseBody(file.content()) }
}
