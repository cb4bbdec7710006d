internal import Expressions
internal import FlowSpec
internal import ReactorCore
internal import Records
internal import Storage

/// What is remembered of parents, and what identifies them.
extension DeclaredFlow {
  /// Whether a run asks only for what is new or changed, so that no result is used for ever.
  var isIncremental: Bool { cursor != nil || declaration.each?.asksOnlyChanged ?? false }

  /// Whether the records of parents that fail stay in the result: where it is replaced, parent by parent.
  var retainsFailed: Bool {
    guard let each = declaration.each, output != nil else { return false }
    return each.onError == .skip && declaration.persistence?.mode ?? .replace == .replace
  }

  /// Whether the next run has to know parents again.
  var remembersParents: Bool { declaration.each != nil && (isIncremental || retainsFailed) }

  /// Whether requests change nothing at the server, as far as their method tells.
  var isReading: Bool {
    [.GET, .HEAD, .OPTIONS].contains(request.resource.method) && declaration.request.body?.records == nil
  }

  /// What an `each` goes by.
  ///
  /// - Parameters:
  ///   - known: what is remembered; nil where nothing is
  ///   - spool: holds the older result
  func eachMemory(_ each: EachDeclaration, _ known: CursorState?, _ spool: RecordSpool?) -> EachPull.Memory {
    var memory = EachPull.Memory()
    if remembersParents { memory.identity = sources.identity }
    if each.asksOnlyChanged {
      let names = each.parents.filter { $0.onlyChanged != nil }.map(\.name.value)
      memory.changed = ChangedParents(
        identity: sources.identity, names: Set(names), known: known?.asked ?? [:])
    }
    guard !isRetrying else { return memory }
    if retainsFailed, let spool, spool.hasOlder { memory.older = OlderPartitions(self, under: spool) }
    // More than half of what is read: then the server is ill, and not its records.
    memory.bound = each.maxFailed ?? (isReading ? .percent(50) : nil)
    return memory
  }

  /// What is to be remembered with the result of a pull; nil for flows that remember nothing.
  ///
  /// - Parameters:
  ///   - known: what was remembered before it
  func state(
    after outcome: Pull.Outcome, _ ledger: EachLedger?, _ known: CursorState?, _ run: CursorRun?
  ) throws(ReactorError) -> CursorState? {
    guard isIncremental || remembersParents else { return nil }
    // What is asked for again says nothing of what lies beyond it.
    let run = isRetrying && declaration.each == nil ? nil : run
    var state =
      try run?.state(after: outcome, hasParents: declaration.each != nil, mode: mode) ?? known ?? CursorState()
    guard let ledger else { return state }
    state.identity = sources.identity.words
    if retainsFailed { state.source = recordsIdentity }
    state.take(ledger, declaration.persistence?.mode ?? .replace)
    return state
  }

  /// What a stamp says is remembered; nil when that is gone, damaged, or of parents that other fields identified.
  func state(of stamp: Stamp) async throws(ReactorError) -> CursorState? {
    guard let output, let state = try await CursorState(stamp.provenance.cursor, in: environment.root, for: output)
    else { return nil }
    guard declaration.each != nil, !state.isEmpty else { return state }
    // Older versions remembered parents without a key by their whole record.
    guard let identity = state.identity else { return sources.identity.isWhole ? state : nil }
    return identity == sources.identity.words ? state : nil
  }

  // MARK: - Identity

  /// What identifies a partition: its parents' keys, else its request.
  func identity(
    of partition: Partition, with values: [String: ExpressionValue], for item: RequestItem
  ) throws(ReactorError) -> String {
    if let text = sources.identity.text(of: partition) { return text }
    return try requestIdentity(of: try resource(with: values.merging(nothingAsked) { own, _ in own }, for: item))
  }

  /// A request as what identifies its parents: method and URL, and a digest where that is not all of it or must not be
  /// shown. The key that makes it repeatable is no part of it, for that is made of the whole record.
  private func requestIdentity(of resource: Resource) throws(ReactorError) -> String {
    var (resource, headers) = (resource, request.resource.headers)
    if let name = declaration.request.idempotency?.header.value {
      resource.headers[name] = nil
      headers[name] = nil
    }
    let declared = declaration.request
    let hides =
      declared.baseURL.value.usesSecret || declared.path.value.usesSecret
      || declared.query.contains { $0.value.value.usesSecret }
    var parts = [resource.method.rawValue]
    if !hides {
      let url = try resource.url(relativeTo: request.baseURL)
      let origin = request.baseURL.origin
      parts.append(url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : url)
    }
    if hides || resource.body != nil || resource.headers != headers {
      parts.append("#" + resource.fingerprint().prefix(32))
    }
    return ParentIdentity.short(parts.joined(separator: " "))
  }

  /// What stands for the bounds of a range where none is asked for, of a type that templates can use.
  var nothingAsked: [String: ExpressionValue] {
    guard let cursor else { return [:] }
    let nothing: CursorValue? =
      switch cursor.declaration.kind {
      case .timestamp, .date: CursorValue("1970-01-01T00:00:00Z", of: .timestamp)
      case .integer: .integer(0)
      case .string: .text("")
      }
    return ["cursor": cursor.value(CursorRange(start: nothing, end: nothing))]
  }
}
