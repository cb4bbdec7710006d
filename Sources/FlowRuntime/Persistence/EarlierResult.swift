internal import ReactorCore
internal import Records
internal import Storage

/// The older result with which the records of a pull are joined. The spool's lock protects it from other writers.
struct EarlierResult: Sendable {
  let spool: RecordSpool
  let schema: CompiledSchema
  /// Whether the older records are ignored and the result starts empty.
  var isForgotten = false

  /// Reads all records in batches; no records when there is no file.
  ///
  /// The file is read with the present schema, even if its stamp names another schema. So the records of an edited
  /// file, or of one without a stamp, are used as long as they match the schema. A record that does not match is an
  /// error.
  func read(
    _ emit: (RecordBatch) throws(ReactorError) -> Void, pause: () async throws(ReactorError) -> Void
  ) async throws(ReactorError) {
    guard !isForgotten, let file = try await spool.root.open(spool.path) else { return }
    do throws(ReactorError) {
      if spool.path.format == .csv { try await checkColumns(of: file) }
      let set = RecordSet(
        schema: schema.schema, count: 0, format: spool.path.format, content: .file(VerifiedRecords(file: file)))
      try await set.read(emit, pause: pause)
    } catch {
      guard error.kind == .parser else { throw error }
      var misfit = ReactorError.persistence(
        "records cannot be added to \(spool.path), because it does not fit the schema: \(error.description)",
        path: spool.path.text)
      misfit.help =
        "the previous result is intact; if the schema is right, move that file away, and the next run starts over and "
        + "requests all records again; otherwise correct the schema"
      throw misfit
    }
  }

  /// Checks that the first row has the schema's columns. The other rows are read by column position.
  private func checkColumns(of file: StoredFile) async throws(ReactorError) {
    let wanted = RecordOutput(schema.plan, format: .csv).finish()
    let found = try await file.beginning(wanted.count)
    guard found == wanted else { throw .parser("its columns are not those of the schema '\(schema.schema.name)'") }
  }
}
