internal import ArgumentParser
internal import SourceDiagnostics

/// The root of the command line, with all commands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reactor",
    abstract: "Pulls data over HTTP as YAML files declare it, and persists it as records.",
    discussion: """
      Examples:
        reactor check                          find every error in flows/
        reactor run                            run every flow of flows/
        reactor run flows/shop.yaml -s tag:daily --fresh
        reactor explain shop.customers         what a flow would do
        reactor watch flows/shop.yaml          show its records at each save
        reactor record                         record the servers' responses as fixtures
        reactor test                           replay them without a network
        reactor explain persistence.expires_after
        reactor list --select 'shop.*'

      Every flag can also be given as an environment variable: REACTOR_JOBS=4,
      REACTOR_FORMAT=json, REACTOR_QUIET=true.

      Exit codes:
        0  all passed                  5    a flow could not be judged: network,
        1  a response did not fit            authentication, timeout, no recording
           the flow or its golden      6    a recording is unused or stale
        2  wrong command line          70   an error of this program
        3  a file does not load        74   a result or report was not written
        4  nothing selected            130, 143   ended by a signal
      """,
    version: "reactor \(ToolVersion.text)",
    subcommands: [
      RunCommand.self, RecordCommand.self, TestCommand.self, ReviewCommand.self, AcceptCommand.self,
      RejectCommand.self, DriftCommand.self, FixturesCommand.self, ServeCommand.self, InitCommand.self,
      WatchCommand.self,
      ImportCommand.self,
      CheckCommand.self, ListCommand.self, ExplainCommand.self, SchemaCommand.self, ExportCommand.self,
      ReportCommand.self, StatusCommand.self, StateCommand.self, HistoryCommand.self, DashboardCommand.self,
      NotifyCommand.self,
      VersionCommand.self,
    ])
}

/// The command `reactor version`.
struct VersionCommand: ReactorCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the versions of the program and its libraries.")

  @Flag(help: "Print a JSON object, also with the numbers of the forms of state.")
  var json = false

  func perform(_ invocation: Invocation) -> ExitCode {
    let object = json ? PlainJSON.bytes(ToolVersion.json) : []
    invocation.out.write(json ? String(decoding: object, as: UTF8.self) + "\n" : ToolVersion.lines)
    return .passed
  }
}
