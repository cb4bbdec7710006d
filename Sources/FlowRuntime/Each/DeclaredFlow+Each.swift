internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// The combinations or batches of parent records. One request is sent for each.
  ///
  /// - Parameter changed: leaves out parents that were requested already; nil to leave out none
  func partitions(
    _ each: Each<ParentSource>, _ changed: ChangedParents?
  ) async throws(ReactorError) -> PartitionSource {
    var parents: [(name: String, reader: ParentReader)] = []
    for (number, parent) in each.parents.enumerated() {
      let reader = ParentReader(
        try await self.reader(of: parent.source, each.identity, parent, number), limit: parent.limit)
      parents.append((parent.name.value, reader))
    }
    return PartitionSource(parents, batch: each.batch?.size, changed: changed, isLimited: each.isLimited)
  }

  /// - Parameter number: the index of the parent
  private func reader(
    of source: ParentSource, _ identity: ParentIdentity, _ parent: Each<ParentSource>.Parent, _ number: Int
  ) async throws(ReactorError) -> ParentReader.Source {
    switch source {
    case .flow(let id): return .feed(environment.feed(of: id).reader())
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

  /// The records of a file with its present content.
  private func records(at path: OutputPath, _ schema: CompiledSchema) async throws(ReactorError) -> RecordFeed.Reader {
    guard let stored = try await environment.inputs.open(path) else {
      throw .persistence("there is no '\(path)' to take records from", path: path.text)
    }
    return await feed(of: VerifiedRecords(file: stored), path.format, schema)
  }

  /// The rows of a database, or those of a recording.
  private func records(
    of rows: StoredRows<Store<String>, String>, _ key: [String], parent: Int
  ) async throws(ReactorError) -> any RecordFile {
    guard let replaced = environment.transportOverride?.rows else {
      return try await rows.records(orderedBy: key, in: environment)
    }
    return try await replaced(plan.id, parent) { [environment] () throws(ReactorError) in
      try await rows.records(orderedBy: key, in: environment)
    }
  }

  private func feed(
    of file: any RecordFile, _ format: RecordFormat = .jsonLines, _ schema: CompiledSchema = .wholeRecords
  ) async -> RecordFeed.Reader {
    let feed = environment.newFeed()
    await feed.hand(on: RecordSet(schema: schema.schema, count: 0, format: format, content: .file(file)))
    return feed.reader()
  }

  /// Builds the request of one combination.
  func partitionRequest(
    _ partition: Partition, _ run: CursorRun?
  ) async throws(ReactorError) -> PartitionRequest {
    var values: [String: ExpressionValue] = [:]
    for (name, value) in partition.values { values[name] = ExpressionValue(value) }
    let request = plan.request
    let (item, misfits) = try await outgoing(partition, values)
    if misfits.count == partition.count {
      return PartitionRequest(
        requests: [], shown: request.shown, misfits: misfits)
    }
    let identity = try plan.remembersParents ? identity(of: partition, with: values, for: item) : nil
    if let run, let identity, let first = inFirstRun(run.state.parents[identity]), let cursor = first.plan.cursor {
      var firstRun = run
      firstRun.cursor = cursor
      firstRun.state.parents[identity] = nil
      var own = try await first.partitionRequest(partition, firstRun)
      own.flow = first
      // A parent that is known by its request is known by that of the other runs.
      own.identity = identity
      return own
    }
    let requests: [RangeRequest]
    let resource: Resource
    if let run {
      requests = try self.requests(run, parent: identity, with: values, for: item, ranges: partition.ranges)
      if let first = requests.first {
        resource = first.resource
      } else {
        resource = try self.resource(with: values.merging(emptyRange) { own, _ in own }, for: item)
      }
    } else {
      resource = try self.resource(with: values, for: item)
      requests = [RangeRequest(resource: resource, remake: remake(with: values, for: item))]
    }
    let url = try resource.url(relativeTo: request.baseURL)
    return PartitionRequest(
      requests: requests,
      shown: ShownRequest(
        method: resource.method.rawValue,
        // What a server puts into the query of a URL is often a signature.
        url: request.hidesURL ? request.shownURL : resource.target.map { String($0.prefix { $0 != "?" }) } ?? url,
        key: request.idempotencyHeader.flatMap { resource.headers[$0] }),
      misfits: misfits, mask: request.hidesPath ? URLMask(hiding: url, behind: request.shownURL) : nil,
      added: try addedFields(values), values: values, identity: identity, run: run)
  }

  private func addedFields(_ values: [String: ExpressionValue]) throws(ReactorError) -> AddedFields? {
    guard !plan.addedFields.isEmpty else { return nil }
    let scope = plan.scope.with(values)
    var members: [JSONObject.Member] = []
    for member in plan.addedFields {
      do throws(ReactorError) {
        members.append(JSONObject.Member(name: member.name, value: try member.value.json(in: scope)))
      } catch {
        throw .parser("'each.add.\(member.name)' has no value: \(error.message)")
      }
    }
    return AddedFields(members: members)
  }
}
