internal import FlowCompiler
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

/// Reads flow files and options, and makes the job that an engine runs.
///
/// Of the environment only the selection is taken, which the text names: it must not depend on the machine where it is
/// printed. So variables of `REACTOR_VAR_NAME` have no effect here.
struct ExportReading {
  private let command: ExportCommand
  private let engine: ExportEngine
  private let invocation: Invocation

  init(_ command: ExportCommand, _ engine: ExportEngine, _ invocation: Invocation) {
    self.command = command
    self.engine = engine
    self.invocation = invocation
  }

  private var options: ExportedJobOptions { command.job }

  /// The selection as the command line or the environment gives it.
  private var selects: [String] { invocation.settings.values(command.selection.select, "select") }

  func job() throws(CommandError) -> ExportedJob {
    try checkOptions()
    let overrides = VariableOverrides(arguments: try invocation.variables(options.variables))
    let (loaded, files) = FlowFiles(command.selection.paths).loadListing(overrides)
    var diagnostics = DiagnosticBag()
    overrides.check(against: loaded.files, diagnostics: &diagnostics)
    if diagnostics.hasErrors {
      diagnostics.merge(loaded.diagnostics)
      invocation.console.show(diagnostics)
      throw .ended(.usage)
    }
    let selected = try invocation.select(command.selection, root: ".", overrides: overrides, loaded: loaded)
    diagnostics = loaded.diagnostics
    if !diagnostics.hasErrors { diagnostics.merge(FlowCompiler.problems(in: selected.flows)) }
    invocation.console.show(diagnostics)
    if let obstacle = invocation.obstacle(selected, diagnostics) { throw .ended(obstacle) }
    guard !selected.flows.isEmpty else { throw .ended(.passed) }
    let flows = Invocation.withParents(selected).flows
    return ExportedJob(
      name: try name(of: flows), commandLine: commandLine, paths: command.selection.paths, selects: selects,
      values: options.variables, division: try division(flows.count),
      image: options.image ?? "reactor:\(ToolVersion.text)", folder: options.folder, user: options.user,
      root: options.root, flows: flows.map(Self.flow), files: files, secrets: secrets(of: flows).given,
      sources: secrets(of: flows).read,
      variables: variables(of: flows, overrides), schedule: try schedule(of: selected.flows))
  }

  // MARK: - Options

  private func checkOptions() throws(CommandError) {
    if let (_, origin) = invocation.settings.value(command.selection.shard, "shard") {
      throw CommandError(
        "\(origin) cannot be used with 'export', which divides all selected flows", help: "use --tasks")
    }
    if try FlowSelection(selects).asksForResults {
      throw CommandError(
        "'result:' cannot be exported, because it selects other flows after each run",
        help: "select by name, 'tag:' or 'path:'")
    }
    if options.folder != nil, engine != .slurm, engine != .airflow, !engine.isOfOneMachine {
      throw CommandError("--folder is only for slurm, airflow, systemd and cron", help: "leave it out")
    }
    if let user = options.user {
      guard engine.isOfOneMachine else {
        throw CommandError("--user is only for systemd and cron", help: "leave it out")
      }
      guard user.wholeMatch(of: /[a-z_][a-z0-9_-]{0,30}/) != nil else {
        throw CommandError(
          "--user '\(user)' is not the name of a user",
          help: "use up to 31 lower-case letters, digits, hyphens and '_'; begin with a letter or '_'")
      }
    }
    for (flag, text) in [("image", options.image), ("folder", options.folder), ("root", options.root)] {
      guard let text else { continue }
      guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw CommandError("--\(flag) is empty or has control characters")
      }
    }
    for path in command.selection.paths where path.hasPrefix("-") {
      throw CommandError("the path '\(path)' would be read as an option", help: "write './\(path)'")
    }
  }

  private func division(_ flows: Int) throws(CommandError) -> ExportedJob.Division {
    if engine.isOfOneMachine {
      guard options.tasks == nil, options.by == nil, !options.shared else {
        throw CommandError(
          "\(engine.rawValue) starts one process, so --tasks, --by and --shared have no effect", help: "leave them out")
      }
      return .parts(1)
    }
    let by = options.by ?? "shard"
    guard ["shard", "flow"].contains(by) else { throw CommandError("--by is '\(by)', which is neither shard nor flow") }
    guard by == "shard" else {
      guard engine == .airflow else { throw CommandError("--by flow is only for airflow") }
      guard options.tasks == nil, !options.shared else {
        throw CommandError("--by flow makes a task for each flow, so --tasks and --shared have no effect")
      }
      return .flows
    }
    let tasks = try options.tasks.map { (text) throws(CommandError) in
      guard let number = Int(text), (1...10_000).contains(number) else {
        throw CommandError("--tasks is '\(text)', which is not a number from 1 to 10000")
      }
      return number
    }
    return options.shared ? .shared(tasks ?? min(flows, 4)) : .parts(tasks ?? min(flows, 4))
  }

  /// The name of the job, which each engine allows.
  private func name(of flows: [FlowDeclaration]) throws(CommandError) -> String {
    if let name = options.name {
      guard name.utf8.count <= 63, name.wholeMatch(of: /[a-z]([a-z0-9-]*[a-z0-9])?/) != nil else {
        throw CommandError(
          "--name '\(name)' is not a name that each engine allows",
          help: "use up to 63 lower-case letters, digits and hyphens; begin with a letter")
      }
      return name
    }
    guard let stem = flows.first?.file.stem, flows.allSatisfy({ $0.file.stem == stem }) else { return "reactor" }
    let words = stem.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let name = String(words.joined(separator: "-").drop { !$0.isLetter }.prefix(40))
    let trimmed = name.hasSuffix("-") ? String(name.dropLast()) : name
    return trimmed.isEmpty ? "reactor" : trimmed
  }

  // MARK: - Command lines

  /// The command line without `-o`, so that the printed text can be compared with the file.
  private var commandLine: [String] {
    var words = ["reactor", "export", engine.rawValue] + command.selection.paths
    words += selects.flatMap { ["-s", $0] } + options.variables.flatMap { ["--var", $0] }
    let values = [
      ("tasks", options.tasks), ("by", options.by), ("name", options.name), ("image", options.image),
      ("folder", options.folder), ("user", options.user), ("root", options.root),
    ]
    for (flag, value) in values { if let value { words += ["--\(flag)", value] } }
    if options.shared { words.append("--shared") }
    return words
  }

  // MARK: - Flows

  private static func flow(_ flow: FlowDeclaration) -> ExportedJob.Flow {
    let seconds = (flow.deadline?.value).map { Int($0.rounded(.up)) }
    return ExportedJob.Flow(
      id: flow.id, parents: flow.parents, tags: flow.tags, seconds: seconds,
      isReused: !flow.result.targets.isEmpty && flow.result.expiresAfter != nil)
  }

  /// The secrets that the files of the flows declare: those that the engine gives, and those that a process reads.
  private func secrets(
    of flows: [FlowDeclaration]
  ) -> (given: [String], read: [(name: String, source: SecretSource)]) {
    var sources: [String: SecretSource] = [:]
    for flow in flows { sources.merge(flow.file.secretSources.mapValues(\.value)) { first, _ in first } }
    let read = sources.filter { isRead($0.value) }.sorted { $0.key < $1.key }
    let given = Set(flows.flatMap(\.file.secrets).map(\.value)).subtracting(read.map(\.key))
    return (given.sorted(), read.map { ($0.key, $0.value) })
  }

  /// Whether a process reads a source where the engine starts it.
  ///
  /// In a container or on a machine for one job there are neither passwords of a person nor the keys for SOPS.
  private func isRead(_ source: SecretSource) -> Bool {
    switch engine {
    case .github, .gitlab: false
    case .kubernetes: if case .file(let path) = source { path.hasPrefix("/") } else { false }
    case .slurm, .airflow, .systemd, .cron: true
    }
  }

  /// The environment variables of variables that have no value otherwise.
  private func variables(of flows: [FlowDeclaration], _ overrides: VariableOverrides) -> [String] {
    let open = flows.flatMap(\.file.variables).filter {
      $0.defaultValue == nil && $0.computed == nil && !$0.isItem && overrides.arguments[$0.name.value] == nil
    }
    return Set(open.map { "REACTOR_VAR_\($0.name.value)" }).sorted()
  }

  /// The schedule that all selected flows have.
  private func schedule(of flows: [FlowDeclaration]) throws(CommandError) -> Located<Schedule>? {
    guard let first = flows.first else { return nil }
    let text = first.schedule?.value.text
    guard let other = flows.first(where: { $0.schedule?.value.text != text }) else { return first.schedule }
    let parts = [first, other].map { "'\($0.id)' has \($0.schedule.map { "'\($0.value.text)'" } ?? "no schedule")" }
    throw CommandError(
      "one job has one schedule, but \(parts[0]), and \(parts[1])",
      help: "export the flows of each schedule for themselves, for example by tags: -s tag:daily", .configuration)
  }
}
