internal import ArgumentParser
internal import JSONSyntax
internal import RunViews
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

      A database store has its own history: tables 'reactor_runs' and 'reactor_loads'.
      """)

  @Argument(help: "Ids or names of flows, with wildcards; without any, all flows.")
  var flows: [String] = []
  @Option(help: ArgumentHelp("The maximum number of runs to show. (default: 20)", valueName: "n"))
  var last: String?
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.history(self) }
}

extension Invocation {
  /// Runs `reactor history`.
  func history(_ command: HistoryCommand) throws(CommandError) -> ExitCode {
    let last = try settings.count(command.last, "last", default: 20)
    let entries = RunHistory.entries(root: root(command.root))
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
    if entries.isEmpty { console.warn("no run is recorded in '\(RunHistory.path(root(command.root)))'") }
    let width = min(shown.lazy.map(\.flow.count).max() ?? 0, 48)
    for entry in shown {
      out.write(HistoryLine(style: console.outStyle, width: width, isVerbose: console.isVerbose).text(entry))
    }
    return exit
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
