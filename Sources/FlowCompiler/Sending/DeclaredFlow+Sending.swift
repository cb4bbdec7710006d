internal import Expressions
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// What a partition's request carries, and the items that cannot be sent.
  func outgoing(
    _ partition: Partition, _ values: [String: ExpressionValue]
  ) async throws(ReactorError) -> (item: RequestItem, misfits: [ItemFailure]) {
    var item = RequestItem(text: partition.text, isBatch: partition.batch != nil)
    guard let records = declaration.request.body?.records else { return (item, []) }
    let given = partition.batch ?? partition.values.prefix(1).map(\.value)
    guard let encoder else {
      item.payloads = given
      return (item, [])
    }
    var scope = values
    for root in ["vars", "env"] where records.schema?.uses(root) ?? false { scope[root] = self.scope.value(of: root) }
    let encoded = try await encoder.encode(given, scope: scope)
    item.payloads = encoded.payloads.map(\.value)
    return (
      item,
      encoded.misfits.map { ItemFailure(item: $0.index, rule: $0.rule, pointer: $0.pointer, reason: $0.reason) }
    )
  }

  /// The items of a batch that its answer calls refused.
  ///
  /// - Parameters:
  ///   - answer: its bytes
  ///   - sent: the places in the batch of those that were sent
  func refusals(_ answer: [UInt8]?, of sent: [Int]) throws(ReactorError) -> [ItemFailure] {
    guard let results = declaration.each?.batch?.results else { return [] }
    let found = try self.results(results, in: answer)
    guard found.count == sent.count else {
      throw .parser(
        "the answer tells \(found.count == 1 ? "1 result" : "\(found.count) results") at \(results.path.value.text) "
          + "for \(Expectations.records(sent.count))")
    }
    var failures: [ItemFailure] = []
    for (place, result) in zip(sent, found) {
      var scope = self.scope
      scope.keepsDynamic = false
      scope.values["result"] = ExpressionValue(result)
      guard try value(of: results.failed, in: scope) == .bool(true) else { continue }
      var reason = String(decoding: JSONWriter.bytes(result).prefix(300), as: UTF8.self)
      if let declared = results.reason, case .string(let text) = try value(of: declared, in: scope) { reason = text }
      failures.append(ItemFailure(item: place, rule: "refused", pointer: "", reason: reason))
    }
    return failures
  }

  /// What there is one request for each of; nil when it is what failed or was rejected before, and there is nothing.
  func items(
    _ each: EachDeclaration, _ letters: DeadLetters?, _ changed: ChangedParents?
  ) async throws(ReactorError) -> (any PartitionProvider)? {
    guard isRetrying, let rejected else { return try await partitions(each, changed) }
    guard let letters, let old = letters.old, old.size > 0 else { return nil }
    let parts = try await rejectedParts(letters)
    let feed = environment.newFeed()
    await feed.hand(
      on: RecordSet(schema: .wholeRecords, count: 0, format: .jsonLines, content: .file(VerifiedRecords(file: old))))
    let items = RejectedItems(
      ParentReader(feed.reader(), limit: nil), of: rejected, names: each.names, batch: each.batch?.size, then: parts)
    return try await items.isEmpty() ? nil : items
  }

  /// The end of a run that had nothing to ask for: everything stays as it is.
  func nothingAsked(
    _ spool: RecordSpool?, _ letters: DeadLetters?
  ) async -> Parsed<RecordSet> {
    await spool?.discard()
    await letters?.discard()
    let format = spool?.path.format ?? .jsonLines
    return Parsed(
      RecordSet(schema: schema.schema, count: 0, format: format, content: .notKept), report: PruneReport(kept: 0))
  }

  /// What becomes of the records that are there.
  var mode: PersistenceMode {
    let mode = declaration.persistence?.mode ?? .replace
    return isRetrying && mode == .replace ? .append : mode
  }

  /// What of an older file of rejected records stays: items that this run does not ask for, where it does not ask for
  /// everything anew; of a flow that asks only for what is new also records, until they are delivered.
  var keptLetters: DeadLetters.Keeping {
    if isIncremental { return isFullRefresh ? .nothing : .undelivered(RejectedTracking(self)) }
    guard declaration.each != nil else { return .nothing }
    if isRetrying { return .all }
    return isReading && mode == .replace ? .nothing : .items
  }

  /// A message without secrets in any encoding, also where it was cut within one.
  func masked(_ text: String) -> String {
    var secrets = scope.secrets.values.map { $0.reveal() }
    _ = environment.secrets.contains { secret in
      secrets.append(secret)
      return false
    }
    return secrets.isEmpty ? text : messageMask.mask(text, hiding: secrets)
  }

  private func results(
    _ results: BatchDeclaration.Results, in answer: [UInt8]?
  ) throws(ReactorError) -> [JSONValue] {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONValue(parsing: answer ?? [])
    } catch {
      throw .parser("the results of the batch cannot be read: \(error)")
    }
    let values = results.path.value.values(in: root)
    if values.count == 1, results.path.value.singularSteps != nil, case .array(let elements) = values[0] {
      return elements
    }
    return values
  }

  private func value(
    of expression: Located<Expression>, in scope: ResolutionScope
  ) throws(ReactorError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.value.evaluate(in: scope, now: scope.now)
    } catch {
      throw .parser("'\(expression.value.text)' has no value for a result of the batch: \(error.message)")
    }
  }
}

extension SchemaDeclaration {
  /// Whether a computed field takes a name from its scope.
  fileprivate func uses(_ root: String) -> Bool {
    fields.contains { field in
      RecordTemplate(field.value?.template ?? Template([])).segments.contains {
        if case .expression(let expression) = $0 { expression.references.contains { $0.root == root } } else { false }
      }
    }
  }
}
