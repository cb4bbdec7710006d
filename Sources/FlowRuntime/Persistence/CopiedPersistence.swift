internal import ByteCodings
internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// Persists a result in the first target of a flow, and copies it from there to the flow's other targets.
struct CopiedPersistence: ResultPersistence {
  /// The persistence of the first target. After each save, its records are copied to the other targets.
  let first: any ResultPersistence
  let flow: DeclaredFlow
  let observer: FlowObserver

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<RecordSet> {
    try await first.load(for: resource)
  }

  func save(_ model: RecordSet, for resource: Resource) async throws(ReactorError) -> RecordSet {
    let saved = try await first.save(model, for: resource)
    try await flow.completeCopies(observer)
    return saved
  }

  func provenance(for resource: Resource) async throws(ReactorError) -> Provenance? {
    try await first.provenance(for: resource)
  }

  func expiry(of provenance: Provenance) -> Int64? { first.expiry(of: provenance) }
}

/// The records of a flow's first target, which are copied to the flow's other targets.
private struct FirstPlace {
  let records: RecordSet
  /// The provenance that is stored with each copy. Its `cursor` identifies the copied content. In the first target,
  /// `cursor` contains the state of the cursor.
  let provenance: Provenance

  init(_ records: RecordSet, _ provenance: Provenance, content: String) {
    self.records = records
    self.provenance = Provenance(
      writtenAt: provenance.writtenAt, resource: provenance.resource, schema: provenance.schema,
      recordCount: provenance.recordCount, cursor: "copy of \(content)")
  }

  /// Whether a target with this provenance has a copy of these records.
  func isCopied(_ copy: Provenance) -> Bool {
    copy.resource == provenance.resource && copy.schema == provenance.schema && copy.cursor == provenance.cursor
  }
}

extension DeclaredFlow {
  /// Writes the records of the first target to each further target that does not have them.
  ///
  /// A run does this before its first request, and after its result is committed. So, if a process ends before it has
  /// written a target, the next run completes that target at its beginning. Each target is replaced as a whole.
  ///
  /// - Throws: the first error, after all targets were tried
  func completeCopies(_ observer: @escaping FlowObserver) async throws(ReactorError) {
    guard !plan.result.copies.isEmpty, let first = try await firstPlace() else { return }
    var failure: ReactorError?
    for target in plan.result.copies {
      do throws(ReactorError) {
        try await complete(target, with: first, observer)
      } catch {
        if error.kind == .cancelled { throw error }
        failure = failure ?? error.ofCopy(target, of: plan.result.target)
      }
    }
    if let failure { throw failure }
  }

  private func complete(
    _ target: ResolvedTarget, with first: FirstPlace, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) {
    let turn = try await environment.turns.take(target.text, within: RecordSetForm.longestWait)
    defer { turn.end() }
    switch target {
    case .file(let path):
      let found = try await environment.root.lookUp(path.output) { (stamp) -> Bool? in
        first.isCopied(stamp.provenance) ? nil : false
      }
      if case .intact = found { return }
      let form = RecordSetForm(path: path, root: environment.root, schema: plan.records.schema, observer: observer)
      try await form.write(first.records, first.provenance)
    case .table(let table):
      let result = TableResult(table, plan.records.schema, in: environment)
      if let stamp = try await result.stamp(), first.isCopied(stamp.provenance) { return }
      _ = try await result.replace(with: first.records, first.provenance, of: plan.id)
    }
  }

  /// The records of the first target; nil when it has no result of this flow.
  private func firstPlace() async throws(ReactorError) -> FirstPlace? {
    if let table = tableResult {
      guard let stamp = try await table.stamp(), plan.mayUse(stamp.provenance) else { return nil }
      return FirstPlace(table.records(of: stamp), stamp.provenance, content: stamp.load)
    }
    guard let path = plan.result.target?.path else { return nil }
    let found = try await environment.root.lookUp(path.output) { [plan] (stamp) -> Bool? in
      plan.mayUse(stamp.provenance) ? nil : false
    }
    guard case .intact(let file, let stamp) = found else { return nil }
    let schema = plan.records.schema
    let records = RecordSet(
      schema: schema.schema, count: stamp.provenance.recordCount, format: path.output.format,
      content: .file(try await path.records(of: file, in: environment.root, schema.plan)))
    return FirstPlace(records, stamp.provenance, content: "\(stamp.size) \(Hex.text(stamp.hash))")
  }
}

extension ReactorError {
  /// The error of a further target that could not be written, when the first target already has the result.
  fileprivate func ofCopy(_ target: ResolvedTarget, of first: ResolvedTarget?) -> ReactorError {
    var error = self
    error.message = "\(first?.text ?? "the first target") has the result, and \(target.text) does not: \(message)"
    error.help =
      help
      ?? "\(target.text) still has its earlier result; the next run writes the new one there before its first request"
    return error
  }
}
