internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// Where it is remembered how replays ended, apart from runs.
  static let testMemory = ".reactor/fixtures"

  /// `reactor test`
  func test(_ command: TestCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    var fixture = try fixtureSettings(command.fixtures, mode: .none, update: .none)
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
    order.learn = { console.learn($0) }
    let (declarations, added) = Self.withParents(selected.flows, of: loaded.flows)
    order.added = added
    var early: Set<ExitCode> = []
    if fixture.mode != .none {
      // What is missing is recorded first; what is judged is a replay in any case.
      order.secrets = secrets(of: loaded.files, inputs, console)
      early = await record(declarations, order, fixture, limits, console)
      fixture.mode = .none
    }
    // A replay knows no secret.
    let values = placeholders(for: loaded.files)
    order.secrets = values.mapValues(Secret.init)
    guard let session = session(fixture, declarations, secrets: { values }, console) else { return .notWritten }
    order.fixtures = session

    let assembled = assembly.assemble(session.prepared(declarations), order)
    diagnostics.merge(assembled.diagnostics)
    console.show(diagnostics)
    err.flush()
    var codes = early
    if diagnostics.hasErrors { codes.insert(.configuration) }
    if selected.flows.isEmpty, !diagnostics.hasErrors {
      codes.insert(nothingSelected(selected, of: loaded.flows, console))
    }

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

  /// Records what the mode asks for, before a test; tells what could not be.
  private func record(
    _ flows: [FlowDeclaration], _ order: AssemblyOrder, _ fixture: FixtureSettings, _ limits: RunLimits,
    _ console: Console
  ) async -> Set<ExitCode> {
    var (order, fixture) = (order, fixture)
    fixture.keepsUnused = fixture.mode == .new
    let values = order.secrets.mapValues { $0.reveal() }
    guard let session = session(fixture, flows, secrets: { values }, console) else { return [.notWritten] }
    defer { session.close() }
    order.fixtures = session
    let assembled = assembly.assemble(session.prepared(flows), order)
    // The replay reports the same again.
    guard !assembled.diagnostics.hasErrors else {
      await assembled.close()
      return []
    }
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits)).execute()
    await assembled.close()
    var codes: Set<ExitCode> = []
    for flow in state.flows where !order.added.contains(flow.id) {
      guard session.outcome(of: flow.id) == nil, let error = flow.error else { continue }
      codes.insert(.notJudged)
      console.fail("\(flow.id) could not be recorded: \(error.description)")
    }
    return codes
  }
}
