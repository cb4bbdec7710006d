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

    let loaded = FlowFiles(command.selection.paths).load()
    var diagnostics = loaded.diagnostics
    guard areKnown(inputs.overrides, loaded, console) else { return .usage }
    let selected = try select(command.selection, from: loaded.flows, root: Self.testMemory, console)
    var order = AssemblyOrder()
    order.mode = .fresh
    order.timeout = try settings.seconds(command.timeout, "timeout")
    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.secrets = secrets(of: loaded.files, inputs, console)
    order.learn = { console.learn($0) }
    let values = order.secrets.mapValues { $0.reveal() }
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
    var ending = RunEnding(
      console: console, isOffline: false, hasTiming: hasTiming, shard: selected.shard, desk: desk,
      memory: RunEnding.Memory(root: Self.testMemory, lastRun: selected.lastRun),
      diagnostics: diagnostics.diagnostics, codes: codes, fixtures: session)
    let watched = WatchedRun(run, clock: clock, ending)
    signals?.act(watched.actions(signals, grace: grace))
    let (state, faults) = await watched.execute()
    await assembled.close()
    let recorded = Set(state.flows.filter { session.outcome(of: $0.id) != nil }.map(\.id))
    let replay = await replay(declarations, recorded: recorded, loaded, order, fixture, limits, console)
    ending.codes.formUnion(replay)
    let exit = ending.finish(state, signal: signals?.exitCode, faults: faults)
    session.close()
    return exit
  }

  /// Replays what was just recorded, so that goldens come from recordings only; tells a line for each flow.
  ///
  /// - Parameter recorded: ids of the flows that were; the others only run because these take their records.
  private func replay(
    _ flows: [FlowDeclaration], recorded: Set<String>, _ loaded: LoadedFlows, _ order: AssemblyOrder,
    _ fixture: FixtureSettings,
    _ limits: RunLimits, _ console: Console
  ) async -> Set<ExitCode> {
    guard !recorded.isEmpty else { return [] }
    var fixture = fixture
    fixture.mode = .none
    let values = placeholders(for: loaded.files)
    guard let session = session(fixture, flows, secrets: { values }, console) else { return [.notWritten] }
    var replayed = order
    replayed.secrets = values.mapValues(Secret.init)
    replayed.fixtures = session
    let assembled = assembly.assemble(session.prepared(flows), replayed)
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits)).execute()
    await assembled.close()
    var codes: Set<ExitCode> = []
    for flow in state.flows where recorded.contains(flow.id) {
      var outcome = session.outcome(of: flow.id) ?? FixtureOutcome()
      do throws(FixtureError) {
        try order.fixtures?.drop(&outcome, of: flow.id)
      } catch {
        codes.insert(.notWritten)
        console.fail("\(flow.id): \(error.message)", help: error.help)
      }
      let recording = order.fixtures?.outcome(of: flow.id)?.recording ?? .none
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
