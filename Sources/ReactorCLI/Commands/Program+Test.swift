internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// Where it is remembered how replays ended, apart from runs.
  static let testMemory = ".reactor/fixtures"

  /// `reactor test`
  func test(_ command: TestCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let fixture = try fixtureSettings(command.fixtures, mode: .none, update: .none)
    let (limits, grace) = (try limits(command.jobs, command.stopping), try grace(command.stopping))
    let hasTiming = try !settings.isOn(command.reports.noTiming, "no-timing")
    let inputs = try inputs(command.inputs, console)
    let desk = try desk(command.reports.reports, console)

    let loaded = FlowFiles(command.selection.paths).load()
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    let selected = try select(command.selection, from: loaded.flows, root: Self.testMemory, console)
    var order = AssemblyOrder()
    order.mode = .fresh
    order.overrides = inputs.overrides
    order.environment = settings.environment
    // Servers are asked in some modes only; a replay knows no secret.
    let values =
      fixture.mode == .none
      ? placeholders(for: loaded.files) : secrets(of: loaded.files, inputs, console).mapValues { $0.reveal() }
    order.secrets = values.mapValues(Secret.init)
    let (declarations, added) = Self.withParents(selected.flows, of: loaded.flows)
    order.added = added
    guard let session = session(fixture, declarations, secrets: { values }, console) else { return .notWritten }
    order.fixtures = session

    let assembled = assembly.assemble(session.prepared(declarations), order)
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    err.flush()
    var codes: Set<ExitCode> = diagnostics.hasErrors ? [.configuration] : []
    if selected.flows.isEmpty, codes.isEmpty { codes.insert(nothingSelected(selected, of: loaded.flows, console)) }

    let clock = RunClock.continuous
    let run = BatchRun(RunPlan(assembled.flows, limits: limits), clock: clock)
    let ending = RunEnding(
      console: console, isOffline: false, hasTiming: hasTiming, shard: selected.shard, desk: desk,
      memory: RunEnding.Memory(root: Self.testMemory, lastRun: selected.lastRun),
      diagnostics: diagnostics.diagnostics, codes: codes, fixtures: session)
    let watched = WatchedRun(run, clock: clock, ending)
    signals?.act(watched.actions(signals, grace: grace))
    let (state, faults) = await watched.execute()
    await assembled.close()
    var lost = faults
    if let (path, _) = settings.value(command.patch, "patch") {
      let changes = state.flows.compactMap { session.outcome(of: $0.id) }.flatMap(\.changes)
      do throws(ReportFile.Fault) {
        try ReportFile.write(AcceptancePatch(changes).bytes, to: path)
      } catch {
        lost.append("patch '\(path)' could not be written: \(error.message)")
      }
    }
    let exit = ending.finish(state, signal: signals?.exitCode, faults: lost)
    session.close()
    return exit
  }
}
