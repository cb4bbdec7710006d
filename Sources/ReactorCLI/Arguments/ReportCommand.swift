internal import ArgumentParser

/// `reactor report`
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Join the JSON reports of several runs, or give one another form.",
    subcommands: [MergeCommand.self])
}

/// `reactor report merge`
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join JSON reports, such as those of shards, and end with their exit code.",
    discussion: """
      Examples:
        reactor report merge shard-*.json --report junit=junit.xml --report github
        reactor report merge run.json --report html=run.html          one report in another form
      """)

  @Argument(help: ArgumentHelp("Reports that 'reactor run --report json=PATH' wrote.", valueName: "report"))
  var paths: [String]
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json or github. Repeatable.", valueName: "kind[=path]"))
  var reports: [String] = []
  @OptionGroup(title: "Output") var output: OutputOptions
}
