internal import ReactorCore
internal import Records
internal import Storage

/// The result that a pull is joined with, as it is under the spool's lock: nobody else writes it meanwhile.
struct EarlierResult: Sendable {
  let spool: RecordSpool
  let schema: CompiledSchema
  /// Whether the result begins anew, so that what is there does not count.
  var isForgotten = false

  /// Gives all records in batches; none when there is no file.
  ///
  /// Whatever lies under the path is read through the schema, so that a file that lost its stamp, or was edited, keeps
  /// its records as long as they fit; one that does not fit is an error.
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
      throw .persistence(
        "\(spool.path) cannot be added to, because it does not fit the schema: \(error.description) "
          + "(fix it or move it away; without it the flow begins anew)", path: spool.path.text)
    }
  }

  /// The first row must name the schema's columns, for the others are read by their places.
  private func checkColumns(of file: StoredFile) async throws(ReactorError) {
    let wanted = RecordOutput(schema.plan, format: .csv).finish()
    let found = try await file.bytes(from: 0, count: wanted.count)
    guard found == wanted else { throw .parser("its columns are not those of '\(schema.schema.name)'") }
  }
}
