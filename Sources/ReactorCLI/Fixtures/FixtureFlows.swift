internal import FlowSpec
internal import SourceDiagnostics

/// Flows whose responses are recorded or replayed: which they are, and the order to assemble them.
struct FixtureFlows {
  let loaded: LoadedFlows
  let selected: Program.Selected
  /// Those that are selected, and those whose records they take.
  let declarations: [FlowDeclaration]
  /// Without secrets and session, in which recording and replaying differ.
  var order: AssemblyOrder
}

extension Program {
  /// Loads and selects flows; nil when a variable was given that no file declares, which has been said then.
  func fixtureFlows(
    _ selection: SelectionOptions, _ inputs: Inputs, _ console: Console
  ) throws(UsageError) -> FixtureFlows? {
    let loaded = FlowFiles(selection.paths).load()
    guard areKnown(inputs.overrides, loaded, console) else { return nil }
    let selected = try select(selection, from: loaded, root: Self.testMemory, console)
    let (declarations, added) = Self.withParents(selected.flows, of: loaded.flows)
    var order = AssemblyOrder()
    order.mode = .fresh
    order.added = added
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.learn = { console.learn($0) }
    return FixtureFlows(loaded: loaded, selected: selected, declarations: declarations, order: order)
  }

  /// Assembles flows on a session and shows all that is wrong with them.
  func assemble(
    _ flows: FixtureFlows, on session: FixtureSession, _ console: Console
  ) -> (assembled: AssembledFlows, diagnostics: DiagnosticBag) {
    let assembled = assembly.assemble(session.prepared(flows.declarations), flows.order)
    var diagnostics = flows.loaded.diagnostics
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    err.flush()
    return (assembled, diagnostics)
  }

  /// What ends a command whose flows cannot be run: a mistake in them, or that there are none; nil when they can.
  func obstacle(_ flows: FixtureFlows, _ diagnostics: DiagnosticBag, _ console: Console) -> ExitCode? {
    if diagnostics.hasErrors { return .configuration }
    guard flows.selected.flows.isEmpty else { return nil }
    return nothingSelected(flows.selected, of: flows.loaded.flows, console)
  }
}
