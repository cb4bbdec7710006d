internal import ArgumentParser
internal import JSONSyntax
internal import RunViews
internal import SharedState
internal import SourceDiagnostics

/// The command `reactor history`.
struct HistoryCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show when flows ran and how they ended, the newest run first.",
    discussion: """
      Examples:
        reactor history
        reactor history shop.orders --last 100
        reactor history 'shop.*' --format json
        reactor history --state postgresql://reactor@db/state     the runs of all machines

      A database store has its own history: tables 'reactor_runs' and 'reactor_loads'.
      """)

  @Argument(help: "Ids or names of flows, with wildcards; without any, all flows.")
  var flows: [String] = []
  @Option(help: ArgumentHelp("The maximum number of runs to show. (default: 20)", valueName: "n"))
  var last: String?
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup var state: StateOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.history(self) }
}

extension Invocation {
  /// Runs `reactor history`.
  func history(_ command: HistoryCommand) async throws(CommandError) -> ExitCode {
    let last = try settings.count(command.last, "last", default: 20)
    let database = try state(command.state)
    let entries =
      if let database { try await entries(in: database) } else { RunHistory.entries(root: root(command.root)) }
    await database?.close()
    let later = database == nil ? RunHistory.laterCount(root: root(command.root)) : 0
    if later > 0 {
      let path = RunHistory.path(root(command.root))
      console.warn("\(Quantity.count(later, "line")) of '\(path)' of a later version of reactor cannot be shown")
    }
    var patterns: [Glob] = []
    for text in command.flows {
      guard let pattern = Glob(text) else { throw CommandError("'\(text)' has a '[' without its ']'") }
      patterns.append(pattern)
    }
    let chosen = entries.filter { entry in
      patterns.isEmpty || patterns.contains { $0.matches(entry.flow) || $0.matches(entry.name) }
    }
    let exit: ExitCode = chosen.isEmpty && !patterns.isEmpty ? .nothingSelected : .passed
    if exit == .nothingSelected { refuse(command.flows, known: entries) }
    let shown = chosen.reversed().prefix(last)
    if console.isJSON {
      writeJSON(exit, DiagnosticBag(), [("runs", .array(shown.map(\.json)))])
      return exit
    }
    if entries.isEmpty {
      let place = database == nil ? "'\(RunHistory.path(root(command.root)))'" : "the shared state"
      console.warn("no run is recorded in \(place)")
    }
    let width = min(shown.lazy.map(\.flow.count).max() ?? 0, 48)
    for entry in shown {
      out.write(HistoryLine(style: console.outStyle, width: width, isVerbose: console.isVerbose).text(entry))
    }
    return exit
  }

  /// The entries of the shared state, the newest last.
  ///
  /// - Parameter run: the run that goes on; then only the last entry of each flow before this run is read
  func entries(in database: StateDatabase, before run: String? = nil) async throws(CommandError) -> [HistoryEntry] {
    do throws(StateError) {
      return try await SharedRunRecord.history(in: database, before: run).compactMap { HistoryEntry(line: $0.utf8) }
    } catch {
      throw CommandError(error)
    }
  }

  private func refuse(_ names: [String], known entries: [HistoryEntry]) {
    let flows = Set(entries.flatMap { [$0.flow, $0.name] })
    console.fail(
      "no run of \(names.map { "'\($0)'" }.joined(separator: ", ")) is in the history",
      help: names.lazy.compactMap { NearMiss.suggestion(for: $0, in: flows.sorted()) }.first.map {
        "did you mean '\($0)'?"
      })
  }
}
