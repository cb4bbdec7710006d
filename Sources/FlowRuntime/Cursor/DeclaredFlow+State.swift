internal import Databases
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// What a flow remembers from one run to the next.
extension DeclaredFlow {
  /// The state from which an incremental run continues. The caller must hold the right to write the result, so that no
  /// other run changes the state meanwhile.
  func known() async throws(ReactorError) -> CursorState {
    guard let output = plan.result.target?.text, !plan.isFullRefresh else { return CursorState() }
    let state: CursorState
    switch try await leftByEarlierRun() {
    case .state(let remembered): state = remembered
    case .recordsWithoutState where plan.result.mode == .append:
      throw .persistence(
        "no remembered state says up to which position \(output) is complete, so a run could add records twice "
          + "(run with --fresh=everything to start over)", path: output)
    case .recordsWithoutState, .nothing: state = CursorState()
    }
    if plan.result.mode == .append, let kind = plan.cursor?.kind, let since = plan.since {
      let texts = [state.value].compactMap { $0 } + state.parents.values
      let known = texts.compactMap { Cursor.Value($0, of: kind) }
      if known.contains(where: { $0 > since || kind == .token }) {
        throw .persistence(
          "\(output) contains records after \(since.text(of: kind)), which 'mode: append' would store twice "
            + "(run with --fresh=everything to start over)", path: output)
      }
    }
    return state
  }

  /// The state remembered with an intact result of this flow; nil when no such result exists.
  ///
  /// - Throws: when the state cannot be read. To treat this as "no state" would request all records again.
  func rememberedState() async throws(ReactorError) -> CursorState? {
    guard case .state(let state) = try await leftByEarlierRun() else { return nil }
    return state
  }

  private enum LeftByEarlierRun {
    case state(CursorState)
    /// Records that were stored before the flow's declaration changed, or that are not intact.
    case recordsWithoutState
    case nothing
  }

  /// What an earlier run has stored: records with or without a usable state. The stamp of a table is read only once,
  /// because another process may load the table between two reads.
  private func leftByEarlierRun() async throws(ReactorError) -> LeftByEarlierRun {
    if let table = tableResult {
      guard let stamp = try await table.stamp() else { return .nothing }
      // As in an edited file, records before the cursor may be missing in a table that was emptied or restored.
      if stamp.isIntact, plan.mayUse(stamp.provenance), let state = try await state(of: stamp.provenance) {
        return .state(state)
      }
      return stamp.provenance.recordCount > 0 ? .recordsWithoutState : .nothing
    }
    guard let output = plan.result.target?.path?.output else { return .nothing }
    let lookup = try await environment.root.lookUp(output) { [plan] (stamp) -> Bool? in
      plan.mayUse(stamp.provenance) ? nil : false
    }
    if case .intact(_, let stamp) = lookup, let state = try await state(of: stamp.provenance) { return .state(state) }
    guard plan.result.mode == .append, let file = try await environment.root.open(output) else { return .nothing }
    return try await file.beginning(1).isEmpty ? .nothing : .recordsWithoutState
  }

  /// The state to remember with the result of a pull; nil for flows that remember no state.
  ///
  /// - Parameters:
  ///   - known: the state remembered before the pull
  func state(
    after outcome: Pull.Outcome, _ ledger: EachLedger?, _ known: CursorState?, _ run: CursorRun?
  ) throws(ReactorError) -> CursorState? {
    // Where each row of the table contains its parent, the state does not need to remember the parents.
    guard plan.isIncremental || plan.remembersParents && !plan.labelsParents else { return nil }
    // A retry requests only rejected parts again, so its cursor values do not say up to where the result is complete.
    let run = plan.isRetrying && plan.each == nil ? nil : run
    var state =
      try run?.state(after: outcome, hasParents: plan.each != nil, mode: plan.positionMode) ?? known ?? CursorState()
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
      read = try CursorState(inline: provenance.cursor, of: plan.result.target?.text ?? id)
    }
    guard let state = read else { return nil }
    guard let each = plan.each, !state.isEmpty else { return state }
    // Earlier versions identified parents without a key by their whole record.
    guard let identity = state.identity else { return each.identity.isWhole ? state : nil }
    return identity == each.identity.words ? state : nil
  }

  /// A description of the range that a run would request; nil for a flow that requests all records.
  func boundWords() async -> String? {
    guard plan.isIncremental else { return nil }
    let state = plan.isFullRefresh ? CursorState() : (try? await rememberedState()) ?? CursorState()
    let asking = state.parents.isEmpty ? inFirstRun(state.value) : nil
    let first = asking.map { "but in the first run \($0.request)" }
    let words = [first, changeWords(state), (asking ?? self).cursorWords(asking == nil ? state : CursorState())]
      .compactMap { $0 }
    return words.joined(separator: "; ")
  }

  private func changeWords(_ state: CursorState) -> String? {
    guard plan.each?.asksOnlyChanged ?? false else { return nil }
    let count = state.asked.count
    return "new and changed parents, \(count) \(count == 1 ? "is" : "are") known"
  }

  private func cursorWords(_ state: CursorState) -> String? {
    guard let cursor = plan.cursor else { return nil }
    let run = CursorRun(cursor: cursor, now: environment.wallClock.now, since: plan.since, state: state)
    if plan.each != nil, !run.state.parents.isEmpty {
      let count = run.state.parents.count
      return "\(count) \(count == 1 ? "parent" : "parents") from their remembered positions, others \(words(run, nil))"
    }
    return words(run, nil)
  }

  private func words(_ run: CursorRun, _ key: String?) -> String {
    guard let ranges = try? run.ranges(key) else { return "too many slices" }
    guard let first = ranges.first, let last = ranges.last else { return "nothing: the range is empty" }
    let whole = CursorRange(start: first.start, end: last.end)
    var parts = run.cursor.parameters(of: whole).map { "\($0.name)=\($0.text)" }
    if case .map(let members) = run.cursor.value(whole, position: run.position(key)),
      plan.request.program?.names.contains("cursor") ?? false
    {
      parts += members.filter { $0.value != .null }.map { "cursor.\($0.name)=\($0.value.json.plainText)" }
    }
    let text = parts.isEmpty ? "without a bound" : parts.joined(separator: " ")
    return ranges.count > 1 ? "\(text) in \(ranges.count) slices" : text
  }
}

extension DeclaredFlow {
  /// The flow that starts from the beginning because the server refused its token; nil for any other error.
  ///
  /// The result is replaced as a whole, because it is unknown which records were deleted meanwhile. A flow with parents
  /// requests only that parent again from the start (`Pull.runRange`).
  ///
  /// - Throws: the error with advice, for a result that cannot be replaced (`mode: append`)
  func startingAnew(after error: ReactorError) async throws(ReactorError) -> DeclaredFlow? {
    guard plan.cursor?.refusesToken(error) ?? false, plan.each == nil, !plan.isFullRefresh else { return nil }
    let known = try await rememberedState()?.value
    guard known != nil || plan.since != nil else { return nil }
    guard plan.result.mode != .append else {
      var error = error
      error.key = "cursor.token"
      error.help =
        "the server no longer knows the token: the changes since the last run are lost, unless you run with "
        + "--fresh=everything, which replaces the result"
      throw error
    }
    var plan = plan
    plan.isFullRefresh = true
    plan.since = nil
    return DeclaredFlow(plan, in: environment)
  }
}
