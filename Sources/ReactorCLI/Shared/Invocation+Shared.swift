internal import BatchRunner
internal import ByteCodings
internal import FlowRuntime
internal import ReactorCore
internal import RunViews
internal import SharedState
internal import SourceDiagnostics
internal import Storage

extension Invocation {
  /// The database of `--state`; nil without the option.
  func state(_ option: StateOption) throws(CommandError) -> StateDatabase? {
    guard let (text, origin) = settings.value(option.state, "state") else { return nil }
    guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }) else {
      throw CommandError(
        "\(origin) is not the URL of a PostgreSQL database",
        help: "write postgresql://user@host/name; a password belongs in a password file (~/.pgpass) or in REACTOR_STATE"
      )
    }
    StateURL.passwords(in: text).forEach(console.learn)
    return StateDatabase(url: text)
  }

  /// The database of `--state`, for a command that needs it.
  func requiredState(_ option: StateOption) throws(CommandError) -> StateDatabase {
    if let state = try state(option) { return state }
    throw CommandError(
      "no shared state is named", help: "write --state with the URL of the run's database, or set REACTOR_STATE")
  }

  /// The invocation with the history that `result:` in a selection refers to, if that is the shared one.
  func knowingSharedHistory(_ selection: SelectionOptions, _ options: SharedOptions) async throws(CommandError) -> Self
  {
    guard let database = try state(options.state),
      try FlowSelection(settings.values(selection.select, "select")).asksForResults
    else { return self }
    var invocation = self
    // Processes that begin later select the same flows, although some have ended meanwhile.
    let run = settings.value(options.run, "run")?.text ?? EngineTask.run(in: settings.environment)
    invocation.sharedHistory = try await entries(in: database, before: run ?? "")
    await database.close()
    return invocation
  }

  /// This process's part in a run of several processes; nil without `--state`.
  func sharedRun(_ command: RunCommand, _ limits: RunLimits) throws(CommandError) -> SharedRun? {
    let name = settings.value(command.shared.run, "run")
    guard let database = try state(command.shared.state) else {
      guard let name else { return nil }
      throw CommandError(
        "\(name.origin) names a run, but no state is shared",
        help: "also write --state with the URL of a PostgreSQL database")
    }
    if let shard = settings.value(command.selection.shard, "shard") {
      throw CommandError(
        "\(shard.origin) and --state cannot be used together",
        help: "leave \(shard.origin) out: processes with shared state take flows as they become free")
    }
    var own = SharedRun.Settings()
    (own.jobs, own.tool) = (limits.jobs, ToolVersion.text)
    if let lease = try settings.seconds(nil, "lease", from: 1) { own.lease = .seconds(lease) }
    let id = name?.text ?? EngineTask.run(in: settings.environment) ?? "run-\(SharedRun.Member.current().id.prefix(12))"
    guard !id.isEmpty, id.utf8.count <= 200, !id.utf8.contains(0) else {
      throw CommandError("the name of the run is longer than 200 bytes")
    }
    return SharedRun(id, in: database, own)
  }

  /// The time that is the present in all processes of a run.
  func present(of run: SharedRun) async throws(CommandError) -> Int64 {
    do throws(StateError) {
      return try await run.present(now)
    } catch {
      throw CommandError(error)
    }
  }

  /// Takes part in a run of several processes until none of its flows is left.
  ///
  /// The process that ends last writes the reports of the whole run.
  func run(
    _ assembled: AssembledFlows, in run: SharedRun, hasKey: Bool, _ limits: RunLimits, grace: Duration,
    _ ending: RunEnding
  ) async throws(CommandError) -> ExitCode {
    // A flow that one process cannot load would wait for ever.
    if !ending.codes.isEmpty { return ending.finish(RunState(RunPlan([])), signal: nil) }
    if !hasKey, let flow = assembled.flows.first(where: \.persistsTokens) {
      throw CommandError(
        "'\(flow.id)' has a refresh token that can be used only once, and there is no key to seal it in the shared state",
        help: SealingKey.making + "; or declare 'single_use: false' if the server accepts a refresh token again",
        .configuration)
    }
    let plan = RunPlan(assembled.flows, limits: limits, end: assembled.end, claims: run)
    let began: Duration
    do throws(StateError) {
      began = try await run.join(plan.flows.map { ($0.id, $0.after) }, digest: Self.digest(plan.flows))
    } catch {
      await assembled.close()
      throw CommandError(error)
    }
    if !console.isQuiet {
      console.note("this process takes part in run '\(run.id)'")
      err.flush()
    }
    var part = ending.forPart()
    let recorder = SharedRecorder(run, part, since: began)
    let (state, lost) = await WatchedRun.execute(plan, close: assembled.close, signals, grace: grace, part, recorder)
    await run.leave()
    let own = state.own(without: await run.lost)
    let isReporter = signals?.exitCode == nil ? await run.isReporter() : false
    if isReporter { part.console.isJSON = false }
    var codes: Set<ExitCode> = [part.finish(own, signal: signals?.exitCode, lost: lost)]
    if let error = await run.failure {
      console.fail(error.message, help: error.help)
      codes.insert(.notWritten)
    }
    if isReporter { codes.insert(await report(on: run, ending)) }
    if own.flows.isEmpty, !isReporter, codes == [.passed] { codes = try await ended(run) }
    await run.database.close()
    return ExitCode.worst(of: codes)
  }

  /// Says that the run has ended when this process found nothing to do; returns the exit codes of its flows.
  private func ended(_ run: SharedRun) async throws(CommandError) -> Set<ExitCode> {
    let record = try await SharedRunRecord.known(run.id, in: run.database, withReports: false)
    let isShown = record.isEnded && !console.isQuiet && !console.isJSON
    if isShown { out.write("run \(PrintableText.of(run.id)) has ended: nothing is left to do\n") }
    return record.codes
  }

  /// Writes the reports of the whole run.
  private func report(on run: SharedRun, _ ending: RunEnding) async -> ExitCode {
    do throws(StateError) {
      guard let record = try await SharedRunRecord.read(run.id, in: run.database, withReports: true) else {
        return .notWritten
      }
      let whole = WholeRun(record, ending)
      let exit = conclude(whole.report, whole.codes, ending.desk, sentence: whole.sentence, listsFlows: false)
      // Another process may write what this one could not.
      if exit != .notWritten || whole.codes.contains(.notWritten) { await run.noteReport() }
      return exit
    } catch {
      console.fail("the report of run '\(run.id)' cannot be made: \(error.message)", help: error.help)
      return .notWritten
    }
  }

  /// Identifies flows and their declarations.
  private static func digest(_ flows: [RunnableFlow]) -> String {
    let lines = flows.map { "\($0.id) \($0.version.map { Hex.text($0) } ?? "")\n" }.sorted()
    return Hex.text(ContentHash.of(lines.joined().utf8))
  }
}

extension CommandError {
  init(_ error: StateError) { self.init(error.message, help: error.help, error.isUsage ? .usage : .notWritten) }
}
