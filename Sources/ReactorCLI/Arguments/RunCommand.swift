internal import ArgumentParser

/// `reactor run`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    // The parser's own word for a command of a larger tool: it leaves out the search for its own flags, which takes as
    // long as reading the arguments (see ParsedCommand.named, which reads this command by itself).
    commandName: "run", _superCommandName: "reactor", abstract: "Run flows and keep their results.",
    discussion: """
      Examples:
        reactor run
        reactor run flows/shop.yaml --var since=2024-06-01 --secret-file secrets.env
        reactor run -s 'shop.*' -s tag:daily --exclude 'tag:slow'
        reactor run --fresh --jobs 16 --max-per-host 2 --timeout 2m
        reactor run --dry-run --last-failed
        reactor run --report junit=reports/junit.xml --report html --report github
        reactor run --format json --no-timing > summary.json

      A flow takes its persisted result while that may be used, else it asks the
      server. Results come on standard output in the order of the files,
      everything else on standard error.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions

  @Flag(help: "Ask the server even where a persisted result may be used.")
  var fresh = false
  @Flag(help: "Ask the server whether persisted results are still right, whatever their age.")
  var revalidate = false
  @Flag(help: "Use persisted results only; open no connection.")
  var offline = false
  @Flag(
    name: .customLong("full-refresh"),
    help: """
      Let flows with a cursor, or with 'only: changed', forget what they remember, ask for everything and replace their \
      results.
      """)
  var fullRefresh = false
  @Option(
    help: ArgumentHelp("Where flows with a cursor begin in this run, whatever they remember.", valueName: "value"))
  var since: String?
  @Flag(
    name: .customLong("retry-rejected"),
    help: """
      Ask again only for what is in the files of 'rejected': items of flows with 'each' that failed, and records of flows \
      with a cursor that were rejected.
      """)
  var retryRejected = false
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Show what would be done; ask nobody, write nothing.")
  var dryRun = false
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Flows that run at once. (default: 8)", valueName: "n"))
  var jobs: String?
  @Option(
    name: .customLong("max-per-host"), help: ArgumentHelp("Flows of one host at once. (default: 4)", valueName: "n"))
  var perHost: String?
  @Option(help: ArgumentHelp("Replaces the time limit of every flow's request: 30s, 5m, 1h.", valueName: "duration"))
  var timeout: String?
  @Option(help: ArgumentHelp("The folder below which results are kept. (default: .)", valueName: "folder"))
  var root: String?
  @Option(
    name: .customLong("allow-prune"),
    help: ArgumentHelp(
      "Fail flows of which more records are rejected than this share of a response (5%) or this number (5).",
      valueName: "n[%]"))
  var allowPrune: String?
  @Flag(
    name: .customLong("fail-partial"),
    help: ArgumentHelp(
      "End with code 6 when all flows passed, but one with less than all: pages cut off, records or parents rejected, "
        + "a result not kept."))
  var failPartial = false
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @Flag(name: .customLong("no-timing"), help: "Leave times out, so that equal runs give equal output.")
  var noTiming = false
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json, github or ndjson (events). Repeatable; '-' is standard output.",
      valueName: "kind[=path]"))
  var reports: [String] = []
}
