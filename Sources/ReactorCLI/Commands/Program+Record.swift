internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor record`: the flows against their servers, then at once against what was recorded.
  func record(_ command: RecordCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    var fixture = try fixtureSettings(command.fixtures, mode: .all, update: isInCI ? .none : .new)
    guard fixture.mode != .none else {
      throw UsageError("--record none records nothing", help: "'reactor test' replays")
    }
    fixture.recordsFailures = try settings.isOn(command.onError, "record-on-error")
    fixture.keepsUnused = fixture.mode == .new
    let (limits, grace) = (try limits(command.jobs, command.stopping), try grace(command.stopping))
    let hasTiming = try !settings.isOn(command.reports.noTiming, "no-timing")
    let inputs = try inputs(command.inputs, console)
    let desk = try desk(command.reports.reports, console)

    guard var flows = try fixtureFlows(command.selection, inputs, console) else { return .usage }
    flows.order.timeout = try settings.seconds(command.timeout, "timeout")
    flows.order.secrets = secrets(of: flows.loaded.files, inputs, console)
    let values = flows.order.secrets.mapValues { $0.reveal() }
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return .notWritten }
    flows.order.fixtures = session

    let (assembled, diagnostics) = assemble(flows, on: session, console)
    let codes: Set<ExitCode> = obstacle(flows, diagnostics, console).map { [$0] } ?? []
    var ending = RunEnding(
      console: console, isOffline: false, hasTiming: hasTiming, shard: flows.selected.shard, desk: desk,
      memory: RunEnding.Memory(root: Self.testMemory, lastRun: flows.selected.lastRun),
      diagnostics: diagnostics.diagnostics, codes: codes, fixtures: session)
    let (state, faults) = await WatchedRun.execute(assembled, limits, signals, grace: grace, ending)
    let recorded = Set(state.flows.filter { session.outcome(of: $0.id) != nil }.map(\.id))
    let replay = await replay(flows, recorded: recorded, fixture, limits, console)
    ending.codes.formUnion(replay)
    let exit = ending.finish(state, signal: signals?.exitCode, faults: faults)
    session.close()
    return exit
  }

  /// Replays what was just recorded, so that goldens come from recordings only; tells a line for each flow.
  ///
  /// - Parameter recorded: ids of the flows that were; the others only run because these take their records.
  private func replay(
    _ flows: FixtureFlows, recorded: Set<String>, _ fixture: FixtureSettings, _ limits: RunLimits, _ console: Console
  ) async -> Set<ExitCode> {
    guard !recorded.isEmpty else { return [] }
    var fixture = fixture
    fixture.mode = .none
    let values = placeholders(for: flows.loaded.files)
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return [.notWritten] }
    let recorder = flows.order.fixtures
    var order = flows.order
    order.secrets = values.mapValues(Secret.init)
    order.fixtures = session
    let assembled = assembly.assemble(session.prepared(flows.declarations), order)
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits)).execute()
    await assembled.close()
    var codes: Set<ExitCode> = []
    for flow in state.flows where recorded.contains(flow.id) {
      var outcome = session.outcome(of: flow.id) ?? FixtureOutcome()
      do throws(FixtureError) {
        try recorder?.drop(&outcome, of: flow.id)
      } catch {
        codes.insert(.notWritten)
        console.fail("\(flow.id): \(error.message)", help: error.help)
      }
      let recording = recorder?.outcome(of: flow.id)?.recording ?? .none
      var text = "\(flow.id): \(Quantity.count(outcome.requests, "request")) "
      text += recording == .unchanged ? "recorded, nothing changed" : "recorded"
      switch outcome.golden {
      case .equal: text += "; as its golden says"
      case .written: text += "; golden written"
      case .replaced: text += "; golden replaced"
      case .differs:
        let count = outcome.differences.count + outcome.differencesLeftOut
        text += "; \(Quantity.count(count, "difference")) from its golden: reactor review -s \(flow.id)"
      case .missing: text += "; no golden: reactor review -s \(flow.id)"
      case .none:
        codes.insert(.notJudged)
        text += "; but its replay fails: \(flow.error?.description ?? "no reason is known")"
      }
      if !console.isQuiet { err.write(PrintableText.of(err.masked(text), limit: 2000) + "\n") }
      for line in outcome.details { err.write("    \(PrintableText.of(err.masked(line), limit: 400))\n") }
    }
    session.close()
    return codes
  }
}
