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
    /// Leaves the plan to the next run; nil where there is none to leave.
    var leavePlan: (@Sendable () -> Void)?
  }

  /// The flows that a command line means, ready to run; nil after saying why there are none.
  func prepared(
    _ command: RunCommand, _ order: AssemblyOrder, _ inputs: Inputs, _ console: Console
  ) async throws(UsageError) -> Prepared? {
    let files = FlowFiles(command.selection.paths)
    let reader = files.reader
    let isDry = try settings.isOn(command.dryRun, "dry-run")
    let memory = try takesAll(command.selection) && !isDry ? PlanMemory(files, order, reader: reader) : nil
    if let plan = memory?.recall(), let assembled = await assembly.answer(plan.flows, order) {
      // Secrets that a file names are not shown, whoever asks for them.
      console.hide(inputs.fileSecrets)
      return Prepared(assembled: assembled, lastRun: LastRun(root: order.root))
    }
    let questions = LoaderQuestions()
    let loaded = files.load(through: memory == nil ? reader : questions.noting(reader))
    guard var prepared = try assembled(loaded, command, order, inputs, console) else { return nil }
    if let memory, prepared.diagnostics.diagnostics.isEmpty, prepared.codes.isEmpty,
      prepared.assembled.flows.count >= PlanMemory.leastFlows, loaded.files.allSatisfy(\.secrets.isEmpty)
    {
      let assembled = prepared.assembled
      prepared.leavePlan = {
        if let flows = assembled.remembered() { memory.keep(flows, asked: questions.all) }
      }
    }
    return prepared
  }

  /// The selected ones of flows that were read, ready to run; nil after saying why there are none.
  private func assembled(
    _ loaded: LoadedFlows, _ command: RunCommand, _ given: AssemblyOrder, _ inputs: Inputs, _ console: Console
  ) throws(UsageError) -> Prepared? {
    var order = given
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return nil }
    var selected = try select(command.selection, from: loaded.flows, root: order.root, console)
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

  /// Whether a command line means all flows of its files.
  private func takesAll(_ options: SelectionOptions) throws(UsageError) -> Bool {
    let onlyOpen = try settings.isOn(options.lastFailed, "last-failed")
    return !onlyOpen && settings.values(options.select, "select").isEmpty
      && settings.values(options.exclude, "exclude").isEmpty && settings.value(options.shard, "shard") == nil
  }
}
