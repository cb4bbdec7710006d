internal import FlowCompiler
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// What is run, and what is known before it starts.
  struct Prepared {
    var assembled: AssembledFlows
    /// Problems of the configuration, already shown.
    var diagnostics = DiagnosticBag()
    /// Exit codes that hold whatever the flows do.
    var codes: Set<ExitCode> = []
    /// Which part of the selection it is, where one was asked for.
    var shard: RunReport.Shard?
    /// What became of all flows when they were last run.
    var lastRun: LastRun
  }

  /// The flows that a command line means, ready to run; nil after saying why there are none.
  func prepared(
    _ command: RunCommand, _ given: AssemblyOrder, _ inputs: Inputs, _ console: Console
  ) throws(UsageError) -> Prepared? {
    let loaded = FlowFiles(command.selection.paths).load()
    var order = given
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return nil }
    var selected = try select(command.selection, from: loaded, root: order.root, console)
    if order.isRetryingRejected {
      selected.flows.removeAll { $0.rejected == nil || $0.each == nil && $0.cursor == nil }
    }
    let (declarations, added) =
      order.isRetryingRejected ? (selected.flows, []) : Self.withParents(selected.flows, of: loaded.flows)
    order.added = added
    order.parents = loaded.flows.reduce(into: []) { $0.formUnion($1.parents) }
    order.secrets = secrets(of: loaded.files, inputs, console)
    let assembled = assembly.assemble(declarations, order)
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    err.flush()
    var codes: Set<ExitCode> = diagnostics.hasErrors ? [.configuration] : []
    if declarations.isEmpty, codes.isEmpty {
      codes.insert(nothingSelected(selected, of: loaded.flows, console))
    }
    return Prepared(
      assembled: assembled, diagnostics: diagnostics, codes: codes, shard: selected.shard, lastRun: selected.lastRun)
  }
}
