internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// What a command line selects.
  struct Selected {
    /// In plan order.
    var flows: [FlowDeclaration]
    /// Which part of the selection it is, where one was asked for.
    var shard: RunReport.Shard?
    /// What became of all flows when they were last run.
    var lastRun: LastRun
    /// Whether nothing at all is a success.
    var mayBeEmpty: Bool
  }

  /// The selected flows, in plan order.
  func select(
    _ options: SelectionOptions, from loaded: LoadedFlows, root: String, _ console: Console
  ) throws(UsageError) -> Selected {
    let flows = loaded.flows
    let selection = try FlowSelection(
      select: settings.values(options.select, "select"), exclude: settings.values(options.exclude, "exclude"))
    let onlyOpen = try settings.isOn(options.lastFailed, "last-failed")
    let shard = try shard(options)
    let mayBeEmpty = try settings.choice(options.noFlows, "no-flows", default: NoFlows.fail) == .pass
    let lastRun = LastRun(root: root)
    let candidates = flows.map {
      FlowSelection.Candidate(
        id: $0.id, name: $0.name, tags: $0.tags, path: $0.file.path, result: lastRun[$0.id])
    }
    // What a file with errors declares is not known.
    let unmatched = loaded.diagnostics.hasErrors ? [] : selection.unmatched(among: candidates)
    for (text, meant) in unmatched {
      console.warn("'\(text)' selects no flow", help: meant.map { "did you mean '\($0)'?" })
    }
    let selected = zip(flows, candidates).filter { flow, candidate in
      selection.takes(candidate) && (!onlyOpen || lastRun.isOpen(flow.id))
        && shard.map { FlowShard.takes(flow.id, $0) } ?? true
    }
    return Selected(flows: selected.map(\.0), shard: shard, lastRun: lastRun, mayBeEmpty: mayBeEmpty)
  }

  /// Selected flows with those whose records they take, directly or not, in the order of all flows; and the ids of those
  /// that were added.
  static func withParents(
    _ selected: [FlowDeclaration], of flows: [FlowDeclaration]
  ) -> (flows: [FlowDeclaration], added: Set<String>) {
    guard selected.contains(where: { $0.each != nil }) else { return (selected, []) }
    let graph = FlowGraph(flows)
    let ids = Set(selected.lazy.map(\.id))
    let chosen = graph.withAncestors(Set(flows.indices.filter { ids.contains(flows[$0].id) }))
    return (chosen.sorted().map { flows[$0] }, Set(chosen.lazy.map { flows[$0].id }).subtracting(ids))
  }

  /// Says that nothing was selected, and what that means.
  func nothingSelected(_ selected: Selected, of flows: [FlowDeclaration], _ console: Console) -> ExitCode {
    let help: String? =
      if flows.isEmpty {
        "there are no flows here"
      } else if let shard = selected.shard {
        "shard \(shard.text) of this selection is empty; --no-flows pass allows that"
      } else {
        "'reactor list' shows the flows there are"
      }
    if selected.mayBeEmpty {
      console.warn("no flow is selected")
      return .passed
    }
    console.fail("no flow is selected", help: help)
    return .nothingSelected
  }

  private enum NoFlows: String, CaseIterable {
    case fail
    case pass
  }

  private func shard(_ options: SelectionOptions) throws(UsageError) -> RunReport.Shard? {
    guard let (text, origin) = settings.value(options.shard, "shard") else { return nil }
    guard let shard = RunReport.Shard(text) else {
      throw UsageError("\(origin) is '\(text)', which is no part such as 2/5")
    }
    return shard
  }
}
