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

    guard var flows = try fixtureFlows(command.selection, inputs, console) else { return .usage }
    var codes: Set<ExitCode> = []
    if fixture.mode != .none {
      // What is missing is recorded first; what is judged is a replay in any case.
      flows.order.secrets = secrets(of: flows.loaded.files, inputs, console)
      codes = await record(flows, fixture, limits, console)
      fixture.mode = .none
    }
    // A replay knows no secret.
    let values = placeholders(for: flows.loaded.files)
    flows.order.secrets = values.mapValues(Secret.init)
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return .notWritten }
    flows.order.fixtures = session

    let (assembled, diagnostics) = assemble(flows, on: session, console)
    if let obstacle = obstacle(flows, diagnostics, console) { codes.insert(obstacle) }
    let ending = RunEnding(
      console: console, isOffline: false, hasTiming: hasTiming, shard: flows.selected.shard, desk: desk,
      memory: RunEnding.Memory(root: Self.testMemory, lastRun: flows.selected.lastRun),
      diagnostics: diagnostics.diagnostics, codes: codes, fixtures: session)
    let (state, faults) = await WatchedRun.execute(assembled, limits, signals, grace: grace, ending)
    var lost = faults
    if let (path, _) = settings.value(command.patch, "patch") {
      let changes = state.flows.compactMap { session.outcome(of: $0.id) }.flatMap(\.changes)
      do throws(ReportFile.InvalidReport) {
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
    _ flows: FixtureFlows, _ fixture: FixtureSettings, _ limits: RunLimits, _ console: Console
  ) async -> Set<ExitCode> {
    var (order, fixture) = (flows.order, fixture)
    fixture.keepsUnused = fixture.mode == .new
    let values = order.secrets.mapValues { $0.reveal() }
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return [.notWritten] }
    defer { session.close() }
    order.fixtures = session
    let assembled = assembly.assemble(session.prepared(flows.declarations), order)
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
