internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// A request for each parent, or for each combination or batch of parents; with a cursor, for each of its ranges.
struct ParentRequests: RequestSource {
  let each: Each<ParentSource>
  /// The flow whose requests are sent: the declared flow, or its variant for the first run of a parent.
  let flow: DeclaredFlow
  let part: RunPart
  /// The cursor with its state and start for this run; nil for a flow without a cursor.
  let run: CursorRun?

  private var plan: FlowPlan { flow.plan }

  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested? {
    let memory = memory
    guard let items = try await items(memory.changed) else { return nil }
    let partitions = await spread(items)
    let pull = EachPull(parents: self, pull: part.pull, memory: memory)
    do throws(ReactorError) {
      let (outcome, ledger) = try await pull.run(partitions, into: sink)
      await partitions.close()
      return Requested(outcome: outcome, ledger: ledger)
    } catch {
      await partitions.close()
      throw error
    }
  }

  /// What an `each` knows of its parents from earlier runs, and its limit for failures.
  private var memory: EachPull.Memory {
    var memory = EachPull.Memory()
    if plan.remembersParents { memory.identity = each.identity }
    memory.labelsRows = plan.labelsParents
    if each.asksOnlyChanged {
      let names = each.parents.filter { $0.onlyChanged != nil }.map(\.name.value)
      memory.changed = ChangedParents(
        identity: each.identity, names: Set(names), known: part.known?.asked ?? [:])
    }
    guard !plan.isRetrying else { return memory }
    if plan.retainsFailed, let spool = part.receiver.spool, spool.hasEarlier {
      memory.earlier = EarlierPartitions(flow, under: spool)
    }
    // If more than half of the parents cannot be read, the cause is the server, not the records.
    memory.bound = each.maxFailed ?? (plan.isReading ? .percent(50) : nil)
    return memory
  }

  /// Builds the request of one combination.
  func request(_ partition: Partition) async throws(ReactorError) -> PartitionRequest {
    let values = partition.expressionValues
    let request = plan.request
    let (item, misfits) = try await outgoing(partition, values)
    if misfits.count == partition.count {
      return PartitionRequest(
        requests: [], shown: request.shown, misfits: misfits)
    }
    let identity = try plan.remembersParents ? identity(of: partition, with: values, for: item) : nil
    if let run, let identity, let first = flow.inFirstRun(run.state.parents[identity]), let cursor = first.plan.cursor {
      var firstRun = run
      firstRun.cursor = cursor
      firstRun.state.parents[identity] = nil
      let inFirstRun = ParentRequests(each: each, flow: first, part: part, run: firstRun)
      var own = try await inFirstRun.request(partition)
      own.flow = first
      // A parent that is identified by its request has the identity of the request for later runs, not of this first
      // one.
      own.identity = identity
      return own
    }
    let requests: [RangeRequest]
    let resource: Resource
    if let run {
      requests = try flow.requests(run, parent: identity, with: values, for: item, ranges: partition.ranges)
      if let first = requests.first {
        resource = first.resource
      } else {
        resource = try flow.resource(with: values.merging(emptyRange) { own, _ in own }, for: item)
      }
    } else {
      resource = try flow.resource(with: values, for: item)
      requests = [RangeRequest(resource: resource, remake: flow.remake(with: values, for: item))]
    }
    let url = try resource.url(relativeTo: request.baseURL)
    return PartitionRequest(
      requests: requests,
      shown: ShownRequest(
        method: resource.method.rawValue,
        // If a server gives a URL, its query often contains a signature.
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

  // MARK: - Identity

  /// The identity of a partition, as its request has it.
  func identity(of partition: Partition) async throws(ReactorError) -> String {
    if let text = each.identity.text(of: partition) { return text }
    let values = partition.expressionValues
    return try identity(of: partition, with: values, for: try await outgoing(partition, values).item)
  }

  /// The identity of a partition: the keys of its parents, else its request.
  private func identity(
    of partition: Partition, with values: [String: ExpressionValue], for item: RequestItem
  ) throws(ReactorError) -> String {
    if let text = each.identity.text(of: partition) { return text }
    let values = values.merging(emptyRange) { own, _ in own }
    let resource = try flow.resource(with: values, for: item, listsAllFields: true)
    return try requestIdentity(of: resource)
  }

  /// The identity of parents by their request: the method, the URL and, where needed, a digest.
  ///
  /// The digest is added when the request has more than method and URL, or when the URL must not be shown. The
  /// idempotency key is not included, because it depends on the whole record.
  private func requestIdentity(of resource: Resource) throws(ReactorError) -> String {
    let request = plan.request
    var (resource, headers) = (resource, request.resource.headers)
    if let name = request.idempotencyHeader {
      resource.headers[name] = nil
      headers[name] = nil
    }
    var parts = [resource.method.rawValue]
    if !request.hidesURL {
      let url = try resource.url(relativeTo: request.baseURL)
      let origin = request.baseURL.origin
      parts.append(url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : url)
    }
    if request.hidesURL || resource.body != nil || resource.headers != headers {
      parts.append("#" + resource.fingerprint().prefix(32))
    }
    return ParentIdentity.short(parts.joined(separator: " "))
  }

  /// Placeholder values of `cursor` for a request without a range. They have the types that templates expect.
  private var emptyRange: [String: ExpressionValue] {
    guard let cursor = plan.cursor else { return [:] }
    let nothing: Cursor.Value? =
      switch cursor.kind {
      case .timestamp, .date: Cursor.Value("1970-01-01T00:00:00Z", of: .timestamp)
      case .integer: .integer(0)
      case .string, .token: .text("")
      }
    return ["cursor": cursor.value(CursorRange(start: nothing, end: nothing))]
  }
}
