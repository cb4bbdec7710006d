internal import Databases
internal import FlowModel
public import ReactorCore
internal import Storage

/// Shows and changes the remembered state of an incremental flow. Opens no connection.
public struct CursorAccess: Sendable {
  /// The state that a flow remembers between runs.
  public struct Memory: Sendable, Hashable {
    /// The greatest cursor value of a flow without parents; nil when no value is remembered.
    public var value: String?
    /// The greatest cursor value for each parent, in the order of the parent keys.
    public var parents: [(key: String, value: String)]
    /// The keys of the requested parents, in order; for `only: changed`.
    ///
    /// Each of these parents is requested again only after its record has changed.
    public var asked: [String]

    /// Whether the values, the parents with their values, and the requested parents of two memories are equal.
    public static func == (left: Memory, right: Memory) -> Bool {
      left.value == right.value && left.asked == right.asked && left.parents.elementsEqual(right.parents, by: ==)
    }

    /// Hashes `value` and the keys of `parents`.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(value)
      for parent in parents { hasher.combine(parent.key) }
    }
  }

  let flow: DeclaredFlow

  /// Whether the flow has a cursor. A flow without a cursor remembers only parents.
  public var hasCursor: Bool { flow.plan.cursor != nil }
  /// The field of the cursor; empty without a cursor.
  public var field: String { flow.plan.cursor?.field.value ?? "" }
  /// The name of the field's type in a flow file; empty without a cursor.
  public var type: String { flow.plan.cursor?.kind.rawValue ?? "" }
  /// Whether each parent has its own cursor value.
  public var hasParents: Bool { flow.plan.each != nil }

  /// Reads the remembered state; nil when no persisted result exists that a run could continue from.
  public func memory() async -> Memory? {
    guard let state = try? await flow.rememberedState() else { return nil }
    return Memory(
      value: state.value, parents: state.parents.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) },
      asked: state.asked.keys.sorted())
  }

  /// Changes the remembered cursor value.
  ///
  /// - Parameters:
  ///   - text: the new value, in the format of the records or another format of the type; nil to forget the value
  ///   - key: the key of the parent, for a flow with parents; nil to forget the values of all parents
  /// - Throws: `.persistence` when the text is not a value of the field's type, when no result exists that could
  ///   remember the value, or when another process is writing the result.
  public func remember(_ text: String?, parent key: String?) async throws(ReactorError) {
    do throws(ReactorError) {
      try await change(to: text, parent: key)
    } catch {
      throw flow.masked(error)
    }
  }

  private func change(to text: String?, parent key: String?) async throws(ReactorError) {
    let value = try text.map { (text) throws(ReactorError) in try checked(text, parent: key) }
    let isChanged =
      if let table = flow.tableResult {
        try await change(key, value, in: table)
      } else if let output = flow.plan.result.target?.path?.output {
        try await change(key, value, in: output)
      } else {
        true
      }
    guard !isChanged, text != nil, let place = flow.plan.result.target?.text else { return }
    throw .persistence(
      "\(place) has no result to continue from (run with --since to start from another position)", path: place)
  }

  /// The value that a text means, in the format of the records; throws when it cannot be remembered.
  private func checked(_ text: String, parent key: String?) throws(ReactorError) -> String {
    guard let cursor = flow.plan.cursor else {
      var error = ReactorError.persistence("'\(flow.plan.id)' has no cursor, so there is no value to set")
      error.help = "'reactor state reset -s \(flow.plan.id)' makes the flow request all its parents again"
      throw error
    }
    guard let read = Cursor.Value(text, of: cursor.kind) else {
      throw .persistence("'\(text)' is not a value of '\(field)', which is of type \(type)")
    }
    guard hasParents == (key != nil) else {
      throw .persistence(
        hasParents
          ? "each parent has its own value: name the parent with --parent" : "'\(flow.plan.id)' has no parents")
    }
    guard text.utf8.count <= CursorState.maximumValueBytes else {
      throw .persistence("the value has more than \(CursorState.maximumValueBytes) bytes")
    }
    return read.text(of: cursor.kind)
  }

  /// Changes the state that is remembered with the result in a file; returns false when the file has no intact result
  /// of this flow.
  private func change(_ key: String?, _ value: String?, in output: OutputPath) async throws(ReactorError) -> Bool {
    let root = flow.environment.root
    guard try await root.open(output) != nil else { return false }
    let lock = try await root.lock(output)
    defer { lock.release() }
    let lookup = try await root.lookUp(output) { (stamp) -> Bool? in
      flow.plan.mayUse(stamp.provenance) ? nil : false
    }
    guard case .intact(_, let stamp) = lookup else { return false }
    var provenance = stamp.provenance
    provenance.cursor = try await state(of: provenance, key, value).stored(in: root, for: output)
    try await lock.restamp(stamp, provenance)
    // Remove old files under the lock: as soon as another run has the lock, it may store its own state.
    await CursorState.tidy(root, for: output, keeping: provenance.cursor)
    return true
  }

  /// Changes the state that is remembered with the result in a table; returns false when the table has no result of
  /// this flow.
  private func change(_ key: String?, _ value: String?, in table: TableResult) async throws(ReactorError) -> Bool {
    guard let stamp = try await table.stamp(), flow.plan.mayUse(stamp.provenance) else { return false }
    var provenance = stamp.provenance
    provenance.cursor = try await state(of: provenance, key, value).inline
    try await table.database.restamp(table.table.name, stamp, provenance)
    return true
  }

  private func state(
    of provenance: Provenance, _ key: String?, _ value: String?
  ) async throws(ReactorError) -> CursorState {
    var state = try await flow.state(of: provenance) ?? CursorState()
    if let each = flow.plan.each { state.identity = each.identity.words }
    switch (key, value) {
    case (let key?, let value?): state.parents[key] = value
    case (let key?, nil): state.forget(key)
    case (nil, let value):
      state.forget()
      state.value = value
    }
    return state
  }
}
