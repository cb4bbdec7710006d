internal import BatchRunner
internal import FlowSpec
internal import SourceDiagnostics

extension Program {
  /// `reactor run`
  func run(_ command: RunCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let (limits, grace) = (try limits(command), try grace(command.stopping))
    var order = AssemblyOrder()
    order.mode = try mode(command)
    order.timeout = try settings.seconds(command.timeout, "timeout")
    order.root = settings.value(command.root, "root")?.text ?? "."
    let hasTiming = try !settings.isOn(command.noTiming, "no-timing")
    let inputs = try inputs(command.inputs, console)

    let loaded = FlowFiles(command.selection.paths).load()
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    let declarations = try select(command.selection, from: loaded.flows, console)
    order.overrides = inputs.overrides
    order.secrets = secrets(of: loaded.files, inputs, console)
    order.environment = settings.environment

    let assembled = assembly.assemble(declarations, order)
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    err.flush()
    var codes: Set<ExitCode> = diagnostics.hasErrors ? [.configuration] : []
    if declarations.isEmpty, codes.isEmpty {
      console.fail("no flow is selected", help: "'reactor list' shows the flows there are")
      codes.insert(.nothingSelected)
    }

    let run = BatchRun(RunPlan(assembled.flows, limits: limits))
    let report = RunReport(
      console: console, isOffline: order.mode == .offline, hasTiming: hasTiming, diagnostics: diagnostics.diagnostics,
      codes: codes)
    watch(run, report, grace: grace)
    let state = await execute(run, report)
    await assembled.close()
    return report.finish(state, signal: signals?.exitCode)
  }

  private func execute(_ run: BatchRun, _ report: RunReport) async -> RunState {
    guard !report.console.isJSON else { return await run.execute() }
    let line = report.line(run.plan.flows.map(\.id))
    let view = LineView(run: run, console: report.console, line: line)
    let transitions = run.transitions(matching: LineView.matters)
    async let lines: Void = view.show(transitions)
    let state = await run.execute()
    await lines
    return state
  }

  private func watch(_ run: BatchRun, _ report: RunReport, grace: Duration) {
    guard let signals else { return }
    let err = err
    signals.act(
      SignalWatch.Actions(grace: grace) {
        run.drain(grace: grace)
        err.write(SignalWatch.note(grace))
        err.flush()
      } report: {
        let state = run.state
        _ = report.finish(state, signal: signals.exitCode)
        report.console.out.flush()
        report.console.err.flush()
      })
  }

  private func mode(_ command: RunCommand) throws(UsageError) -> AssemblyOrder.Mode {
    guard !command.fresh || !command.offline else {
      throw UsageError("--fresh and --offline exclude each other")
    }
    if command.fresh { return .fresh }
    if command.offline { return .offline }
    let (fresh, offline) = (try settings.isOn(false, "fresh"), try settings.isOn(false, "offline"))
    guard !fresh || !offline else { throw UsageError("REACTOR_FRESH and REACTOR_OFFLINE exclude each other") }
    return fresh ? .fresh : offline ? .offline : .persistenceFirst
  }
}
