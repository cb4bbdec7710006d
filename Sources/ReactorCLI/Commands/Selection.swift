internal import FlowFolders
internal import FlowRuntime
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Loaded flow files, and the flows that a command line selects from them.
struct SelectedFlows {
  var loaded: LoadedFlows
  /// The selected flows, in plan order.
  var flows: [FlowDeclaration]
  /// The selected part (shard), when the command line requests one.
  let shard: RunReport.Shard?
  /// Whether the command accepts an empty selection.
  let mayBeEmpty: Bool

  /// The number of selected flows that do not run, because their `when` is false.
  var leftOut = 0

  /// Whether all loaded flows are selected.
  var isWhole: Bool { flows.count + leftOut == loaded.flows.count }
}

/// The part of a divided selection that one process runs.
private struct SelectedPart {
  let shard: RunReport.Shard
  /// Nil if the ids of the flows decide.
  let division: ShardDivision?

  init(shard: RunReport.Shard, division: ShardDivision? = nil) {
    self.shard = RunReport.Shard(shard.number, of: shard.count, division: division?.name)
    self.division = division
  }

  func takes(_ id: String) -> Bool {
    (division?.number(of: id) ?? FlowShard.number(of: id, count: shard.count)) == shard.number
  }
}

extension Invocation {
  /// Loads flow files and selects flows.
  ///
  /// - Parameters:
  ///   - root: the output root with the history, to which `result:` refers
  ///   - overrides: values of variables; nil for those of the environment
  ///   - loaded: the flows if they were loaded already
  ///   - isRun: whether the command is `run`, which has more conditions to fail
  ///   - writes: whether the command writes below the output root
  func select(
    _ options: SelectionOptions, root: String, overrides: VariableOverrides? = nil, loaded: LoadedFlows? = nil,
    isRun: Bool = false, writes: Bool = false
  ) throws(CommandError) -> SelectedFlows {
    let conditions = try FailConditions(options.failing, settings)
    guard isRun || !conditions.isForRuns else {
      throw CommandError("--fail-on 'partial' and 'rejected' are only for 'reactor run'")
    }
    let loaded =
      loaded
      ?? FlowFiles(options.paths).load(overrides ?? VariableOverrides(environment: settings.environment))
    let (flows, shard, unmatched) = try flows(of: loaded, options, root: root, writes: writes)
    // When a file has errors, its flows are unknown, so unmatched names are not reported.
    for (text, suggestion) in loaded.diagnostics.hasErrors ? [] : unmatched {
      console.warn("'\(text)' selects no flow", help: suggestion.map { "did you mean '\($0)'?" })
    }
    return SelectedFlows(loaded: loaded, flows: flows, shard: shard, mayBeEmpty: !conditions.isEmptyFailure)
  }

  /// The flows that a command line selects among loaded flows, and the parts of its selection that select none.
  func flows(
    of loaded: LoadedFlows, _ options: SelectionOptions, root: String, writes: Bool
  ) throws(CommandError) -> (
    flows: [FlowDeclaration], shard: RunReport.Shard?, unmatched: [(text: String, suggestion: String?)]
  ) {
    let selection = try FlowSelection(settings.values(options.select, "select"))
    // The history may be long, so it is read only for a selection that refers to it.
    let lastRun = selection.asksForResults ? LastRun(sharedHistory ?? RunHistory.entries(root: root)) : LastRun()
    let candidates = loaded.flows.map {
      FlowSelection.Candidate(
        id: $0.id, name: $0.name, tags: $0.tags, path: $0.file.path, result: lastRun[$0.id])
    }
    let selected = zip(loaded.flows, candidates).filter { selection.takes($0.1) }.map(\.0)
    let unmatched = selection.unmatched(among: candidates)
    guard let part = try part(options, of: selected.map(\.id), root: root, writes: writes) else {
      return (selected, nil, unmatched)
    }
    return (selected.filter { part.takes($0.id) }, part.shard, unmatched)
  }

  /// Loads and selects flows for a command that needs at least one flow and files without errors.
  func selectWhole(
    _ options: SelectionOptions, overrides: VariableOverrides? = nil
  ) throws(CommandError) -> SelectedFlows {
    let selected = try select(options, root: Self.testMemory, overrides: overrides)
    console.show(selected.loaded.diagnostics)
    if let obstacle = obstacle(selected, selected.loaded.diagnostics) { throw .ended(obstacle) }
    return selected
  }

  /// The exit code when flows cannot be run, because of errors or an empty selection; nil when they can be run.
  ///
  /// A message about an empty selection is printed.
  func obstacle(_ selected: SelectedFlows, _ diagnostics: DiagnosticBag) -> ExitCode? {
    if diagnostics.hasErrors { return .configuration }
    guard selected.flows.isEmpty else { return nil }
    if selected.mayBeEmpty {
      console.warn("no flow is selected")
      return .passed
    }
    let help =
      if let id = selected.loaded.unlocked.min(), selected.loaded.flows.isEmpty {
        "the fields of '\(id)' are not known yet: 'reactor run' without --dry-run infers them"
      } else if selected.loaded.flows.isEmpty {
        "the flow files declare no flows"
      } else if let shard = selected.shard {
        "shard \(shard.text) of this selection is empty; --fail-on '!no-flows' allows that"
      } else {
        "'reactor list' shows the flows there are"
      }
    console.fail("no flow is selected", help: help)
    return .nothingSelected
  }

  /// The selected flows and their ancestors, in the order of all loaded flows, and the ids of the added ancestors.
  static func withParents(_ selected: SelectedFlows) -> (flows: [FlowDeclaration], added: Set<String>) {
    guard selected.flows.contains(where: { $0.each != nil }) else { return (selected.flows, []) }
    let flows = selected.loaded.flows
    let ids = Set(selected.flows.lazy.map(\.id))
    let chosen = FlowGraph(flows).withAncestors(Set(flows.indices.filter { ids.contains(flows[$0].id) }))
    return (chosen.sorted().map { flows[$0] }, Set(chosen.lazy.map { flows[$0].id }).subtracting(ids))
  }

  /// The settings with which flows are assembled, without secrets.
  func order(_ inputs: Inputs, root: String = ".") -> AssemblyOrder {
    var order = AssemblyOrder()
    order.root = root
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.learn = { [console] in console.learn($0) }
    return order
  }

  /// The folder of the results.
  func root(_ flag: String?) -> String {
    settings.value(flag, "root").map { WholeFile.resolvingLinks(in: $0.text) } ?? "."
  }

  /// The part of the selection that the command line or the engine gives to this process; nil without `--shard`.
  private func part(
    _ options: SelectionOptions, of ids: [String], root: String, writes: Bool
  ) throws(CommandError) -> SelectedPart? {
    guard let (text, origin) = settings.value(options.shard, "shard") else { return nil }
    guard text == "auto" else {
      guard let shard = RunReport.Shard(text), shard.division == nil else {
        throw CommandError("\(origin) is '\(text)', which is neither 'auto' nor a part such as 2/5")
      }
      return SelectedPart(shard: shard)
    }
    let task = try EngineTask.find(in: settings.environment)
    // Replays have no durations that all machines know.
    guard root != Self.testMemory else { return SelectedPart(shard: task.shard) }
    let division = try ShardDivisions.division(of: ids, for: task, root: root, remembers: writes)
    return SelectedPart(shard: task.shard, division: division)
  }
}
