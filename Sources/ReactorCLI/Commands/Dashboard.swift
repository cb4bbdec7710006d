internal import ArgumentParser
internal import Fixtures
internal import RunViews

/// The command `reactor dashboard`.
struct DashboardCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard", abstract: "Show how flows have been, as pages for a browser.",
    discussion: """
      Examples:
        reactor dashboard                      serve the pages on this machine
        reactor dashboard --port 8080
        reactor dashboard -o public            write the pages as files
        reactor dashboard --state postgresql://reactor@db/state     the runs of all machines

      The pages show the history of runs, and the lineage of the flows of PATH. They need
      no script and no network. The server's URL is the first line on standard output.
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The folder for the pages as files. It must be empty, or have a dashboard.", valueName: "folder")
  )
  var folder: String?
  @Option(help: ArgumentHelp("The port of 127.0.0.1. (default: one that is free)", valueName: "number"))
  var port: String?
  @Option(help: ArgumentHelp("The folder of the results. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup var state: StateOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    guard !invocation.console.isJSON else {
      throw CommandError("'dashboard' has no JSON format", help: "reactor history --format json")
    }
    let source = try DashboardSource(invocation, self)
    guard let folder else {
      return try await DashboardSite(source, port: try invocation.port(port)).serve()
    }
    guard port == nil else {
      throw CommandError("--port has no meaning with --output", help: "leave one of them out")
    }
    let (dashboard, now) = (try await source.dashboard(), invocation.now)
    let count = try DashboardFolder(folder).write(dashboard, at: now)
    if !invocation.console.isQuiet {
      let pages = Quantity.count(count, "page")
      invocation.out.write("\(pages) in '\(folder)', which begin with '\(Dashboard.start)'\n")
    }
    return .passed
  }
}
