internal import ArgumentParser
internal import RunViews
internal import SharedState

/// The command `reactor report`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Report a run of several processes, join the JSON reports of several runs, or write one in another format.",
    subcommands: [SharedReportCommand.self, MergeCommand.self], defaultSubcommand: SharedReportCommand.self)
}

/// The command `reactor report --run`.
struct SharedReportCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Report a run of several processes, and end with its exit code.",
    discussion: """
      Examples:
        reactor report --run slurm-4711 --state postgresql://reactor@db/state
        reactor report --run slurm-4711 --report html=run.html --report junit=junit.xml
      """)

  @Option(help: ArgumentHelp("The name of the run, as 'reactor run --run' has it.", valueName: "name"))
  var run: String?
  @OptionGroup var state: StateOption
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json or github. Repeatable.", valueName: "kind[=path]"))
  var reports: [String] = []
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    guard let name = invocation.settings.value(run, "run")?.text else {
      throw CommandError(
        "no run is named",
        help: "write --run with the name of a run of several processes; 'reactor report merge' joins report files")
    }
    let desk = try invocation.desk(reports)
    guard desk.eventLogs.isEmpty else { throw CommandError("an event log cannot be made from the shared state") }
    let database = try invocation.requiredState(state)
    let record = try await SharedRunRecord.known(name, in: database, withReports: true)
    let entries = desk.hasPages ? try await invocation.entries(in: database) : []
    await database.close()
    if !record.isEnded {
      invocation.console.warn("\(record.flows - record.ends.count) of \(record.flows) flows have not ended")
    }
    let whole = WholeRun(record)
    return invocation.conclude(
      whole.report, whole.codes, desk, in: RunSurroundings(of: whole.report, at: invocation.now, entries),
      sentence: whole.sentence)
  }
}
