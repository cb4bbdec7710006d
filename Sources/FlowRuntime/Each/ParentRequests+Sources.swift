internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// Where the parents come from.
extension ParentRequests {
  /// The partitions to request; nil when a retry finds no failed items and no rejected records.
  ///
  /// - Parameter changed: leaves out parents that were requested already; nil to leave out none
  func items(_ changed: ChangedParents?) async throws(ReactorError) -> (any PartitionProvider)? {
    guard flow.plan.isRetrying, let path = flow.plan.result.rejected?.text else { return try await partitions(changed) }
    guard let rejected = part.rejected, let old = rejected.old else { return nil }
    let parts = try await flow.rejectedParts(rejected)
    let feed = flow.environment.newFeed()
    await feed.hand(
      on: RecordSet(schema: .wholeRecords, count: 0, format: .jsonLines, content: .file(old)))
    let items = RejectedItems(
      ParentReader(.feed(feed.reader()), limit: nil), of: path, names: each.names,
      batch: each.batch?.size,
      then: parts)
    return try await items.isEmpty() ? nil : items
  }

  /// The combinations or batches of parent records. One request is sent for each.
  private func partitions(_ changed: ChangedParents?) async throws(ReactorError) -> PartitionSource {
    var parents: [(name: String, reader: ParentReader)] = []
    for (number, parent) in each.parents.enumerated() {
      let reader = ParentReader(
        try await self.reader(of: parent.source, each.identity, parent, number), limit: parent.limit)
      parents.append((parent.name.value, reader))
    }
    return PartitionSource(parents, batch: each.batch?.size, changed: changed, isLimited: each.isLimited)
  }

  /// Opens a parent's source of records.
  ///
  /// - Parameter number: the index of the parent
  private func reader(
    of source: ParentSource, _ identity: ParentIdentity, _ parent: Each<ParentSource>.Parent, _ number: Int
  ) async throws(ReactorError) -> ParentReader.Source {
    switch source {
    case .flow(let id):
      let feed = flow.environment.feed(of: id)
      guard feed.hasBegun else { throw .parentNotRunning(id) }
      return .feed(feed.reader())
    case .values(let values), .replacement(let values): return .values(values)
    case .file(let path, let schema): return .feed(try await records(at: path.output, schema))
    case .rows(let rows):
      return .feed(await feed(of: try await records(of: rows, parent.identifyingFields, parent: number)))
    case .union(let sources):
      var parts: [ParentReader.Source] = []
      for source in sources { parts.append(try await reader(of: source, identity, parent, number)) }
      return .union(UnionReader(parts, of: parent.name.value, identity))
    }
  }

  /// Reads the records that a file contains now.
  private func records(at path: OutputPath, _ schema: CompiledSchema) async throws(ReactorError) -> RecordFeed.Reader {
    guard let stored = try await flow.environment.inputs.open(path) else {
      var error = ReactorError.persistence("there is no file '\(path)' to read records from", path: path.text)
      error.key = "each.file"
      error.help = "create the file, or correct 'file' in the flow's 'each'"
      throw error
    }
    return await feed(of: VerifiedRecords(file: stored), named: path.text, path.format, schema)
  }

  /// Reads the rows of a database, or the rows that a transport override (a recording or a replay) gives instead.
  private func records(
    of rows: StoredRows<Store<String>, String>, _ key: [String], parent: Int
  ) async throws(ReactorError) -> any RecordFile {
    guard let replaced = flow.environment.transportOverride?.rows else {
      return try await rows.records(orderedBy: key, in: flow.environment)
    }
    return try await replaced(flow.id, parent) { [environment = flow.environment] () throws(ReactorError) in
      try await rows.records(orderedBy: key, in: environment)
    }
  }

  private func feed(
    of file: any RecordFile, named name: String? = nil, _ format: RecordFormat = .jsonLines,
    _ schema: CompiledSchema = .wholeRecords
  ) async -> RecordFeed.Reader {
    let feed = flow.environment.newFeed()
    await feed.hand(on: RecordSet(schema: schema.schema, count: 0, format: format, content: .file(file)), from: name)
    return feed.reader()
  }
}

extension ReactorError {
  /// The error of a child flow whose parent does not run. Without it, the child flow would wait for records forever.
  fileprivate static func parentNotRunning(_ id: String) -> ReactorError {
    var error = ReactorError.server("the records of '\(id)' are needed, and that flow does not run")
    error.key = "each"
    error.help = "run both flows: in one 'RunPlan', or by 'begin()' of the parent and 'execute' of both"
    return error
  }
}
