internal import BatchRunner
internal import ByteCodings
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SharedState
internal import SourceDiagnostics
internal import Storage

extension Invocation {
  /// The database of `--state`; nil without the option, and for the word `none`.
  func state(_ option: StateOption) throws(CommandError) -> StateDatabase? { try state(option.state) }

  private func state(_ option: String?) throws(CommandError) -> StateDatabase? {
    guard let (text, origin) = settings.value(option, "state"), text != StateOption.none else { return nil }
    return try database(text, origin)
  }

  private func database(_ url: String, _ origin: String) throws(CommandError) -> StateDatabase {
    StateURL.passwords(in: url).forEach(console.learn)
    guard ["postgres://", "postgresql://"].contains(where: { url.hasPrefix($0) }) else {
      throw CommandError(
        "\(origin) is not the URL of a PostgreSQL database",
        help: "write postgresql://user@host/name; a password belongs in a password file (~/.pgpass) or in REACTOR_STATE"
      )
    }
    return StateDatabase(url: url)
  }

  /// The database of `--state`, or else the one that flow files declare; nil without both.
  func state(_ option: StateOption, of loaded: LoadedFlows, _ inputs: Inputs) throws(CommandError) -> StateDatabase? {
    guard settings.value(option.state, "state") == nil else { return try state(option) }
    var found: (url: String, range: SourceRange)?
    for file in loaded.files {
      guard let declared = file.state else { continue }
      let url = try url(declared, in: file, inputs)
      guard let first = found else {
        found = (url, declared.range)
        continue
      }
      guard first.url == url else {
        if loaded.diagnostics.hasErrors {
          // The loader has found the two texts, and has their locations.
          console.show(loaded.diagnostics)
          throw .ended(.configuration)
        }
        throw CommandError(
          "'state' has one value at \(first.range.text) and another one at \(declared.range.text)",
          help: "give the variables in 'state' the same values, or name the database with --state", .configuration)
      }
    }
    return try found.map { (found) throws(CommandError) in
      try database(found.url, "'state' at \(found.range.text)")
    }
  }

  /// The declared URL with its values. The streams mask the secrets in it from now on.
  private func url(
    _ declared: Located<Template>, in file: FileDeclaration, _ inputs: Inputs
  ) throws(CommandError) -> String {
    var order = order(inputs)
    var values: [String: String] = [:]
    for name in file.secrets.map(\.value) { values[name] = try inputs.secrets.given(name) }
    if inputs.readsSources {
      var needed = NeededSecrets()
      needed.add([], of: file, given: values)
      values.merge(try read(needed, inputs)) { $1 }
    }
    order.secrets = values.mapValues(Secret.init)
    do throws(ResolutionError) {
      let resolved = try declared.value.resolve(with: file.scope(order))
      if resolved.isSecret { console.learn(resolved.text) }
      return resolved.text
    } catch {
      var diagnostics = DiagnosticBag()
      diagnostics.report(error.diagnostic)
      console.show(diagnostics)
      throw .ended(.configuration)
    }
  }

  /// The database of `--state`, for a command that needs it.
  func requiredState(_ option: StateOption) throws(CommandError) -> StateDatabase {
    if let state = try state(option) { return state }
    throw CommandError(
      "no shared state is named", help: "write --state with the URL of the run's database, or set REACTOR_STATE")
  }

  /// The invocation with the history that `result:` in a selection refers to, if that is the shared one.
  func knowingSharedHistory(
    _ selection: SelectionOptions, _ options: SharedOptions, _ database: StateDatabase?
  ) async throws(CommandError) -> Self {
    guard let database, try FlowSelection(settings.values(selection.select, "select")).asksForResults
    else { return self }
    var invocation = self
    // Processes that begin later select the same flows, although some have ended meanwhile.
    let run = settings.value(options.run, "run")?.text ?? EngineTask.run(in: settings.environment)
    invocation.sharedHistory = try await entries(in: database, before: run ?? "")
    await database.close()
    return invocation
  }

  /// This process's part in a run of several processes; nil without `--state`.
  func sharedRun(
    _ command: RunCommand, _ limits: RunLimits, in database: StateDatabase?
  ) throws(CommandError) -> SharedRun? {
    let name = settings.value(command.shared.run, "run")
    guard let database else {
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

  /// The problems of flows that cannot run in several processes.
  func problems(withSharedState flows: FlowsToRun, _ assembled: AssembledFlows, hasKey: Bool) -> DiagnosticBag {
    let ids = Set(assembled.flows.lazy.filter(\.persistsTokens).map(\.id))
    let check = SharedStateCheck(
      hasKey: hasKey, unit: RunDivision(flows.declarations).unitOf, usesToken: { ids.contains($0.id) },
      scope: { $0.file.scope(flows.order) })
    return check.problems(in: flows.declarations)
  }

  /// The problems of flows that cannot run in several processes, for all values of variables and secrets that choose
  /// an authorization. Empty unless `reactor check` looks for them.
  func problems(withSharedState loaded: LoadedFlows, _ option: String?, _ inputs: Inputs) throws(CommandError)
    -> DiagnosticBag
  {
    // The word 'none' is an option, too.
    let isDeclared = settings.value(option, "state") == nil && loaded.files.contains { $0.state != nil }
    if option != StateOption.alone, !isDeclared, try state(option) == nil { return DiagnosticBag() }
    let flows = loaded.flows
    let order = order(inputs)
    let key = try SealingKey.key(in: settings, learn: console.learn)
    let check = SharedStateCheck(
      hasKey: key != nil, unit: RunDivision(flows).unitOf, scope: { $0.file.scope(order) })
    return check.problems(in: flows)
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
    _ assembled: AssembledFlows, in run: SharedRun, _ limits: RunLimits, grace: Duration, _ ending: RunEnding
  ) async throws(CommandError) -> ExitCode {
    // A flow that one process cannot load would wait for ever.
    if !ending.codes.isEmpty { return ending.finish(RunState(RunPlan([])), signal: nil) }
    let plan = RunPlan(assembled.flows, limits: limits, end: assembled.end, claims: run)
    let began: Duration
    do throws(StateError) {
      began = try await run.join(plan.flows.map { ($0.id, $0.after) }, digest: Self.digest(plan.flows))
    } catch {
      await assembled.close()
      throw CommandError(error)
    }
    let responders = Dictionary(
      plan.flows.compactMap { flow in flow.respond.map { (flow.id, $0) } }, uniquingKeysWith: { first, _ in first })
    await run.help { flow, content in await responders[flow]?(content) ?? [] }
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
    // The line of counts needs only how each flow has ended.
    let isReported = !ending.desk.orders.isEmpty || console.isJSON
    do throws(StateError) {
      guard let record = try await SharedRunRecord.read(run.id, in: run.database, withReports: isReported) else {
        return .notWritten
      }
      let whole = WholeRun(record, ending)
      let runs = ending.desk.hasPages ? try await SharedRunRecord.history(in: run.database) : []
      var surroundings = RunSurroundings(of: whole.report, at: now, runs.compactMap { HistoryEntry(line: $0.utf8) })
      ending.add(to: &surroundings)
      let exit = conclude(
        whole.report, whole.codes, ending.desk, in: surroundings, sentence: whole.sentence, listsFlows: false)
      // Another process may write what this one could not.
      if exit != .notWritten || whole.codes.contains(.notWritten) { await run.noteReport() }
      guard !ending.observers.isEmpty else { return exit }
      let lines = try await SharedRunRecord.history(of: run.id, in: run.database)
      func entries(_ lines: [String]) -> [HistoryEntry] { lines.compactMap { HistoryEntry(line: $0.utf8) } }
      let ended = EndedRun(
        id: run.id, began: record.began, ended: now, entries: entries(lines.own), earlier: entries(lines.earlier))
      return ExitCode.worst(of: [exit] + (await ending.observe(ended)))
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

extension RunDivision {
  fileprivate init(_ flows: [FlowDeclaration]) { self.init(flows.map { ($0.id, $0.parents) }) }
}

extension SourceRange {
  /// The file and the line.
  fileprivate var text: String { "\(PrintableText.of(file.path)):\(start.line)" }
}

extension FileDeclaration {
  /// The values of the names that paths of the file's flows may use. Problems with them are reported elsewhere.
  func scope(_ order: AssemblyOrder) -> ResolutionScope {
    var ignored = DiagnosticBag()
    var scope = scope(
      overrides: order.overrides, secrets: order.secrets, environment: order.environment, diagnostics: &ignored)
    scope.compute(variables, diagnostics: &ignored)
    return scope
  }
}

extension CommandError {
  init(_ error: StateError) { self.init(error.message, help: error.help, error.isUsage ? .usage : .notWritten) }
}
