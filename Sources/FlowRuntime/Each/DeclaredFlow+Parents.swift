internal import Expressions
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// The knowledge of parents that a flow remembers, and the identities of parents.
extension DeclaredFlow {
  /// The knowledge that an `each` has of its parents, and its limit for failures.
  ///
  /// - Parameters:
  ///   - known: the remembered state; nil when no state exists
  ///   - spool: the file that has the older result; nil for a result elsewhere
  func eachMemory(_ each: Each<ParentSource>, _ known: CursorState?, _ spool: RecordSpool?) -> EachPull.Memory {
    var memory = EachPull.Memory()
    if plan.remembersParents { memory.identity = each.identity }
    memory.labelsRows = plan.labelsParents
    if each.asksOnlyChanged {
      let names = each.parents.filter { $0.onlyChanged != nil }.map(\.name.value)
      memory.changed = ChangedParents(
        identity: each.identity, names: Set(names), known: known?.asked ?? [:])
    }
    guard !plan.isRetrying else { return memory }
    if plan.retainsFailed, let spool, spool.hasEarlier {
      memory.earlier = EarlierPartitions(self, under: spool)
    }
    // If more than half of the parents cannot be read, the cause is the server, not the records.
    memory.bound = each.maxFailed ?? (plan.isReading ? .percent(50) : nil)
    return memory
  }

  /// The state to remember with the result of a pull; nil for flows that remember no state.
  ///
  /// - Parameters:
  ///   - known: the state remembered before the pull
  func state(
    after outcome: Pull.Outcome, _ ledger: EachLedger?, _ known: CursorState?, _ run: CursorRun?
  ) throws(ReactorError) -> CursorState? {
    // The rows of a table have their parents themselves.
    guard plan.isIncremental || plan.remembersParents && !plan.labelsParents else { return nil }
    // A retry requests only rejected parts again, so its cursor values do not show how far the result is complete.
    let run = plan.isRetrying && plan.each == nil ? nil : run
    var state =
      try run?.state(after: outcome, hasParents: plan.each != nil, mode: plan.mode) ?? known ?? CursorState()
    guard let ledger else { return state }
    state.identity = plan.each?.identity.words
    if plan.retainsFailed { state.source = plan.recordsKey }
    state.take(ledger, plan.result.mode)
    return state
  }

  /// Reads the state that was remembered with a result.
  ///
  /// Nil when the state is missing or damaged, or when other fields identified its parents.
  func state(of provenance: Provenance) async throws(ReactorError) -> CursorState? {
    let read: CursorState?
    if let output = plan.result.target?.path?.output {
      read = try await CursorState(provenance.cursor, in: environment.root, for: output)
    } else {
      read = CursorState(inline: provenance.cursor)
    }
    guard let state = read else { return nil }
    guard let each = plan.each, !state.isEmpty else { return state }
    // Earlier versions identified parents without a key by their whole record.
    guard let identity = state.identity else { return each.identity.isWhole ? state : nil }
    return identity == each.identity.words ? state : nil
  }

  // MARK: - Identity

  /// The identity of a partition: the keys of its parents, else its request.
  func identity(
    of partition: Partition, with values: [String: ExpressionValue], for item: RequestItem
  ) throws(ReactorError) -> String {
    if let text = plan.each?.identity.text(of: partition) { return text }
    let resource = try resource(with: values.merging(emptyRange) { own, _ in own }, for: item, listsAllFields: true)
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

  /// Placeholder values of `cursor` when no range is requested. Their type is one that templates can use.
  var emptyRange: [String: ExpressionValue] {
    guard let cursor = plan.cursor else { return [:] }
    let nothing: Cursor.Value? =
      switch cursor.kind {
      case .timestamp, .date: Cursor.Value("1970-01-01T00:00:00Z", of: .timestamp)
      case .integer: .integer(0)
      case .string: .text("")
      }
    return ["cursor": cursor.value(CursorRange(start: nothing, end: nothing))]
  }
}
