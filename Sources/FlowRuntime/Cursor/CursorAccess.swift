internal import FlowTerms
public import ReactorCore
internal import Storage

/// Shows and changes what is remembered of a flow that asks only for what is new or changed; opens no connection.
public struct CursorAccess: Sendable {
  /// What is remembered.
  public struct Memory: Sendable, Hashable {
    /// The greatest value of a flow without parents; nil when nothing is remembered.
    public var value: String?
    /// One for each parent, in the order of their keys.
    public var parents: [(key: String, value: String)]
    /// The parents that are asked for again only when they change, with `only: changed`, in the order of their keys.
    public var asked: [String]

    /// Whether all members are equal.
    public static func == (left: Memory, right: Memory) -> Bool {
      left.value == right.value && left.asked == right.asked && left.parents.elementsEqual(right.parents, by: ==)
    }

    /// Hashes the value and the keys.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(value)
      for parent in parents { hasher.combine(parent.key) }
    }
  }

  let flow: DeclaredFlow

  /// Whether there is a cursor; else only parents are remembered.
  public var hasCursor: Bool { flow.plan.cursor != nil }
  /// The field; empty without a cursor.
  public var field: String { flow.plan.cursor?.field ?? "" }
  /// The field's type in the language; empty without a cursor.
  public var type: String { flow.plan.cursor?.kind.rawValue ?? "" }
  /// Whether each parent has its own value.
  public var hasParents: Bool { flow.plan.each != nil }

  /// What is remembered; nil when there is no result that a run would go on from.
  public func memory() async -> Memory? {
    guard let state = try? await flow.rememberedState() else { return nil }
    return Memory(
      value: state.value, parents: state.parents.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) },
      asked: state.asked.keys.sorted())
  }

  /// Remembers another value.
  ///
  /// - Parameters:
  ///   - text: as records keep it, or another text of the type; nil forgets
  ///   - key: whose value, for a flow with parents; nil forgets all of them
  /// - Throws: `.persistence` when the text is no value of the field's type, there is no result to remember it of, or
  ///   somebody else writes it.
  public func remember(_ text: String?, parent key: String?) async throws(ReactorError) {
    guard let output = flow.plan.result.output?.output else { return }
    var value: String?
    if let text {
      guard let cursor = flow.plan.cursor else {
        throw .persistence(
          "'\(flow.plan.id)' has no cursor and no value to set: 'reactor state reset' lets it ask for its parents again"
        )
      }
      guard let read = CursorValue(text, of: cursor.kind) else {
        throw .persistence("'\(text)' is not a value of '\(field)', which is of type \(type)")
      }
      value = read.text(of: cursor.kind)
      guard hasParents == (key != nil) else {
        throw .persistence(
          hasParents
            ? "each parent has its own value: say which with --parent" : "'\(flow.plan.id)' has no parents")
      }
      guard text.utf8.count <= CursorState.maximumValueBytes else { throw .persistence("the value is too long") }
    }
    let root = flow.environment.root
    guard try await root.open(output) != nil else {
      if text == nil { return }
      throw .persistence("there is no result yet (run with --since to begin elsewhere)", path: output.text)
    }
    let lock = try await root.lock(output)
    defer { lock.release() }
    let look = try await root.look(at: output) { (stamp) -> Bool? in
      flow.plan.mayUse(stamp) ? nil : false
    }
    guard case .intact(_, let stamp) = look else {
      if text == nil { return }
      throw .persistence("\(output) is not a result that the flow would go on from", path: output.text)
    }
    var state = try await flow.state(of: stamp) ?? CursorState()
    if let each = flow.plan.each { state.identity = each.identity.words }
    switch (key, value) {
    case (let key?, let value?): state.parents[key] = value
    case (let key?, nil): state.forget(key)
    case (nil, let value):
      state.forget()
      state.value = value
    }
    var provenance = stamp.provenance
    provenance.cursor = try await state.stored(in: root, for: output)
    try await lock.restamp(stamp, provenance)
    // Under the lock: another run may keep its own as soon as it has that.
    await CursorState.tidy(root, for: output, keeping: provenance.cursor)
  }
}
