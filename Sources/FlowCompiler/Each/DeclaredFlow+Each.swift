internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics
internal import Storage

/// A persisted file whose records a flow is asked for.
struct ParentFile: Sendable {
  var path: OutputPath
  var schema: CompiledSchema
}

/// What a flow is asked for each of, as far as it is known before the run.
struct ParentSources: Sendable {
  /// The files among the parents, by their place there.
  var files: [Int: ParentFile] = [:]
  /// The values among them that an expression gives, by their place there.
  var lists: [Int: [JSONValue]] = [:]
  /// Identifies the parents by their keys.
  var identity = ParentIdentity()
}

extension DeclaredFlow {
  /// The combinations that there is one request for each of.
  ///
  /// - Parameter changed: leaves out what was asked for already; nil leaves out nothing
  func partitions(
    _ each: EachDeclaration, _ changed: ChangedParents?
  ) async throws(ReactorError) -> PartitionSource {
    var parents: [(name: String, reader: ParentReader)] = []
    for (place, parent) in each.parents.enumerated() {
      let reader: ParentReader
      switch parent.source {
      case .flow(let id): reader = ParentReader(environment.feed(of: id.value).reader(), limit: parent.limit)
      case .values(let values): reader = ParentReader(values, limit: parent.limit)
      case .expression: reader = ParentReader(sources.lists[place] ?? [], limit: parent.limit)
      case .file:
        guard let file = sources.files[place] else {
          throw .persistence("the file of '\(parent.name.value)' is not known")
        }
        reader = ParentReader(try await records(of: file), limit: parent.limit)
      }
      parents.append((parent.name.value, reader))
    }
    return PartitionSource(
      parents, batch: each.batch?.size, changed: changed, isLimited: each.parents.contains { $0.limit != nil })
  }

  /// The records of a file as it is now.
  private func records(of file: ParentFile) async throws(ReactorError) -> RecordFeed.Reader {
    guard let stored = try await environment.inputs.open(file.path) else {
      throw .persistence("there is no '\(file.path)' to take records from", path: file.path.text)
    }
    let feed = environment.newFeed()
    await feed.hand(
      on: RecordSet(
        schema: file.schema.schema, count: 0, format: file.path.format, content: .file(VerifiedRecords(file: stored))))
    return feed.reader()
  }

  /// The request of one combination.
  func partitionRequest(
    _ partition: Partition, _ run: CursorRun?
  ) async throws(ReactorError) -> PartitionRequest {
    var values: [String: ExpressionValue] = [:]
    for (name, value) in partition.values { values[name] = ExpressionValue(value) }
    let (item, misfits) = try await outgoing(partition, values)
    if misfits.count == partition.count {
      return PartitionRequest(
        requests: [], shown: ShownRequest(method: declaration.request.method, url: request.shownURL), misfits: misfits)
    }
    let identity = try remembersParents ? identity(of: partition, with: values, for: item) : nil
    let requests: [RangeRequest]
    let resource: Resource
    if let run {
      requests = try self.requests(run, parent: identity, with: values, for: item, ranges: partition.ranges)
      if let first = requests.first {
        resource = first.resource
      } else {
        resource = try self.resource(with: values.merging(nothingAsked) { own, _ in own }, for: item)
      }
    } else {
      resource = try self.resource(with: values, for: item)
      requests = [RangeRequest(resource: resource, remake: remake(with: values, for: item))]
    }
    let declared = declaration.request
    let url = try resource.url(relativeTo: request.baseURL)
    let hidesPath = declared.baseURL.value.usesSecret || declared.path.value.usesSecret
    let hides = hidesPath || declared.query.contains(where: { $0.value.value.usesSecret })
    return PartitionRequest(
      requests: requests,
      shown: ShownRequest(
        method: resource.method.rawValue, url: hides ? request.shownURL : url,
        key: declared.idempotency.flatMap { resource.headers[$0.header.value] }),
      misfits: misfits, mask: hidesPath ? URLMask(hiding: url, behind: request.shownURL) : nil,
      added: try addedFields(values), values: values, identity: identity)
  }

  private func addedFields(_ values: [String: ExpressionValue]) throws(ReactorError) -> AddedFields? {
    guard let add = declaration.each?.add, !add.isEmpty else { return nil }
    var scope = scope
    scope.keepsDynamic = false
    scope.values = values
    var members: [JSONObject.Member] = []
    for (name, document) in add {
      do throws(ResolutionError) {
        members.append(JSONObject.Member(name: name.value, value: try document.value.resolve(with: scope).value))
      } catch {
        throw .parser("'each.add.\(name.value)' has no value: \(error.diagnostic.message)")
      }
    }
    return AddedFields(members: members)
  }
}
