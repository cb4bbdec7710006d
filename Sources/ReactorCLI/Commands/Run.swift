internal import ArgumentParser
internal import BatchRunner
internal import FlowFolders
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SharedState
internal import SourceDiagnostics
internal import Storage
internal import WebSyntax

/// The command `reactor run`.
struct RunCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    // With `_superCommandName`, the parser does not search for its own flags. That search would take as long as
    // parsing the arguments (see `ParsedCommand.named`).
    commandName: "run", _superCommandName: "reactor", abstract: "Run flows and persist their results.",
    discussion: """
      Examples:
        reactor run
        reactor run flows/shop.yaml --var since=2024-06-01 --secret-file secrets.env
        reactor run -s 'shop.*' -s tag:daily -s '!tag:slow'
        reactor run --fresh --jobs 16 --max-per-host 2
        reactor run --fresh=everything -s shop.orders
        reactor run --dry-run -s '!result:passed'
        reactor run --report junit=reports/junit.xml --report html --report github
        reactor run --format json --no-timing > summary.json

      A flow uses its persisted result while that is fresh, otherwise it asks the
      server. Results go to standard output in the order of the files, everything
      else goes to standard error.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions

  /// The flag alone stands for `always` (see `ParsedCommand.spelledOut`).
  @Option(
    help: ArgumentHelp(
      "What to ask the server for. Alone or =always: all that is new, also where a persisted result is fresh. =everything: flows with a cursor or 'only: changed' start from the beginning and replace their results. =validate: whether persisted results are still valid. =rejected: only what is in the files of 'rejected'. =never: nothing; persisted results are used.",
      valueName: "what"))
  var fresh: [String] = []
  @Option(
    help: ArgumentHelp(
      "Where flows with a cursor begin in this run, whatever their stored position.", valueName: "value"))
  var since: String?
  @Flag(
    name: [.customShort("n"), .customLong("dry-run")], help: "Show what would be done; send no request, write nothing.")
  var dryRun = false
  @OptionGroup var jobs: JobOptions
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @Option(
    name: .customLong("if-running"),
    help: ArgumentHelp(
      "What a flow does if another run of it is active: wait for its end, skip (no failure), or fail. (default: fail)",
      valueName: "policy"))
  var ifRunning: String?
  @OptionGroup(title: "Several machines") var shared: SharedOptions
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Monitoring") var monitoring: MonitoringOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let source = try invocation.source(of: self)
    return try await invocation.knowingSharedHistory(selection, shared, source.state).run(self, source)
  }
}

/// The flow files of a run, with what they do not contain.
struct RunSource {
  let files: FlowFiles
  let loaded: LoadedFlows
  let inputs: Invocation.Inputs
  /// The database of the shared state; nil without one.
  let state: StateDatabase?
}

extension Invocation {
  /// Loads the flow files of a run.
  fileprivate func source(of command: RunCommand) throws(CommandError) -> RunSource {
    var inputs = try inputs(command.inputs)
    inputs.readsSources = try !settings.isOn(command.dryRun, "dry-run")
    let files = FlowFiles(command.selection.paths)
    let loaded = files.load(inputs.overrides)
    return RunSource(
      files: files, loaded: loaded, inputs: inputs, state: try state(command.shared.state, of: loaded, inputs))
  }

  /// Runs `reactor run`.
  fileprivate func run(_ command: RunCommand, _ source: RunSource) async throws(CommandError) -> ExitCode {
    let (limits, grace) = (try limits(command.jobs, command.stopping), try grace(command.stopping))
    let inputs = source.inputs
    let isDry = try settings.isOn(command.dryRun, "dry-run")
    var order = order(inputs, root: root(command.root))
    let demand = try FreshDemand(command.fresh, settings)
    let failing = try FailConditions(command.selection.failing, settings)
    order.demand = demand
    order.since = settings.value(command.since, "since")?.text
    guard order.since == nil || [.usual, .always, .validate].contains(demand) else {
      throw CommandError("--since and --fresh=\(demand.rawValue) cannot be used together")
    }
    order.maxRejected = failing.mostRejected
    order.otherRuns = try otherRuns(command.ifRunning)
    let shared = try sharedRun(command, limits, in: source.state)
    order.membership = shared
    let key = shared == nil ? nil : try SealingKey.key(in: settings, learn: console.learn)
    order.state = shared.map { $0.documents(sealedWith: key) }
    if let shared, !isDry { order.present = try await present(of: shared) }
    // The flow may still be held by a process that was stopped or whose machine has died.
    if shared != nil, settings.value(command.ifRunning, "if-running") == nil { order.otherRuns = .wait }
    var ending = try ending(command.reports)
    ending.isOffline = demand == .never
    ending.failsPartial = failing.isPartialFailure

    let (loaded, unknown) = try await FieldInference.load(
      source, command.selection, order, limits, isDry: isDry, for: self)
    var flows = try flowsToRun(command.selection, order, memory: order.root, loaded: loaded, writes: !isDry)
    flows.order.parents = flows.selected.loaded.flows.reduce(into: []) { $0.formUnion($1.parents) }
    flows.order.secrets = try secrets(of: flows.files, inputs, for: flows.declarations)
    if isDry { flows.order.secrets.merge(NeededSecrets.placeholders(for: flows.files)) { given, _ in given } }
    let recorder = command.monitoring.recorder(settings)
    flows.order.tracing = RunTracing(below: settings.environment["TRACEPARENT"], recorder: recorder)
    // The name of a shared run may be used again elsewhere; all its processes know the same present time.
    flows.order.tracing.trace = shared.map { TraceContext.trace(ofRun: "\($0.id) \(order.present ?? 0)") }
    let items = ItemFiles(of: flows.selected.loaded)
    let (assembled, diagnostics) = assemble(flows) { assembled in
      guard shared != nil else { return DiagnosticBag() }
      return problems(withSharedState: flows, assembled, hasKey: key != nil)
    }
    ending.take(
      flows.selected, diagnostics, obstacle(flows.selected, diagnostics), run: assembled.run, began: now,
      root: order.root)
    let tracing = flows.order.tracing
    if recorder != nil || flows.declarations.contains(where: { $0.transfer.sendsTraceparent }) {
      ending.traceID = tracing.trace(ofRun: assembled.run)
    }
    try command.monitoring.add(
      to: &ending, of: command, flows.selected.loaded, assembled.flows, recorder, tracing, self)
    if !isDry, demand != .never, try !settings.isOn(command.monitoring.noNotify, "no-notify"),
      let notifying = Notifying(flows, inputs, console)
    {
      ending.observers.append(notifying)
    }
    if isDry { return await dryRun(assembled, limits, ending) }
    if let shared {
      // Other processes would not know the flows that this one could not infer.
      if let code = unknown.first { throw .ended(code) }
      let exit = try await run(assembled, in: shared, limits, grace: grace, ending)
      return afterChange(exit, of: flows, command.selection, from: items)
    }
    let (state, lost) = await WatchedRun.execute(assembled, limits, signals, grace: grace, ending)
    let code = ending.finish(state, signal: signals?.exitCode, lost: lost)
    let exit = ExitCode.worst(of: [code] + unknown + (await ending.observe(state, at: now)))
    return afterChange(exit, of: flows, command.selection, from: items)
  }

  /// The exit code of a run, after a look at the files from which flows are generated.
  private func afterChange(
    _ exit: ExitCode, of flows: FlowsToRun, _ selection: SelectionOptions, from items: ItemFiles
  ) -> ExitCode {
    guard !flows.selected.loaded.itemFiles.isEmpty else { return exit }
    let isUsable = reportChange(of: flows, selection, from: items)
    return isUsable || exit != .passed ? exit : .failed
  }

  /// Warns when this run wrote a file from which flows are generated, so that the next run has other flows.
  ///
  /// When the flow files do not load with the new content of such a file, the old content is restored.
  ///
  /// - Returns: whether the flow files load with the files that the run has written
  private func reportChange(of flows: FlowsToRun, _ selection: SelectionOptions, from items: ItemFiles) -> Bool {
    let loaded = flows.selected.loaded
    let next = FlowFiles(selection.paths).load(flows.order.overrides)
    if next.diagnostics.hasErrors, !loaded.diagnostics.hasErrors {
      console.show(next.diagnostics)
      do throws(WholeFile.AccessError) {
        let paths = try items.putBack()
        guard !paths.isEmpty else { return true }
        console.fail(
          "the flow files do not load with a file that this run wrote and from which flows are generated: "
            + paths.joined(separator: ", "),
          help: "the new content is in '\(paths[0]).refused', and the file is as before; "
            + "correct what the server sends, and run again"
        )
      } catch {
        console.fail(
          "a file from which flows are generated cannot be restored: \(error.message)", help: "correct it by hand")
      }
      return false
    }
    let (added, removed) = (loaded.additions(in: next), next.additions(in: loaded))
    guard !added.isEmpty || !removed.isEmpty else { return true }
    func list(_ ids: [String]) -> String {
      ids.count <= 5
        ? ids.joined(separator: ", ") : ids.prefix(5).joined(separator: ", ") + " and \(ids.count - 5) more"
    }
    let changes = [
      added.isEmpty ? nil : "also has \(list(added))", removed.isEmpty ? nil : "no longer has \(list(removed))",
    ]
    console.warn(
      "this run has changed a file from which flows are generated: "
        + "the next run \(changes.compactMap { $0 }.joined(separator: ", and "))",
      help: "run again to run new flows; the results of removed flows stay where they are")
    return true
  }

  /// Returns the object that prints the results and writes the requested reports at the end of a run.
  func ending(_ options: ReportOptions) throws(CommandError) -> RunEnding {
    RunEnding(
      console: console, hasTiming: try !settings.isOn(options.noTiming, "no-timing"), desk: try desk(options.reports))
  }

  /// The reports that the flags request.
  func desk(_ flags: [String]) throws(CommandError) -> ReportDesk {
    // The environment variable can name several reports, with spaces between them.
    let texts = flags.isEmpty ? settings.value(nil, "report")?.text.split(separator: " ").map(String.init) ?? [] : flags
    let desk = ReportDesk(
      orders: try ReportOrder.orders(texts, environment: settings.environment), environment: settings.environment)
    guard !console.isJSON || !desk.takesOutput else {
      throw CommandError("--format json and a report to '-' cannot both use standard output")
    }
    return desk
  }
}
