internal import ArgumentParser

/// The options for the amount and the format of the output.
package struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("text or json. (default: text)", valueName: "format"))
  var format: String?
  @Flag(name: .shortAndLong, help: "Print problems only.")
  var quiet = false
  @Flag(name: .shortAndLong, help: "Print more: also rejected records, and the times of the steps.")
  var verbose = false

  /// Required by the parser, which creates the options and then sets them from the arguments.
  package init() {}
}

/// The options that give values to the variables and secrets that files name.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp(
      "A value for a variable of the files; also REACTOR_VAR_<name>. Repeatable.", valueName: "name=value"))
  var variables: [String] = []

  @Option(
    name: .customLong("secret-file"),
    help: ArgumentHelp(
      "A file with lines NAME=value. Secrets that it does not name come from the environment.", valueName: "file"))
  var secretFile: String?

  /// The flag is refused, because the process list shows arguments to every user of the machine.
  @Option(name: .customLong("secret"), help: .hidden)
  var secret: [String] = []
}

/// The options that select files and flows.
struct SelectionOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .customLong("select")],
    help: ArgumentHelp(
      "Flows by name ('shop.*'), 'tag:daily', 'path:flows/shop*' or 'result:failed' (last run). A space or a repeated flag means 'or', a comma means 'and', '!' leaves out: '!tag:slow', '!result:passed'.",
      valueName: "expression"))
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "One of N parts of the selection, for N machines: 2/5. New or removed flows move no other flow to another part. auto: the part that Slurm, Kubernetes or the CI service gave to this process, divided by the durations of earlier runs.",
      valueName: "i/n"))
  var shard: String?

  @OptionGroup var failing: FailOptions
}

/// The option that names further reasons for a command to fail, besides a flow that fails.
struct FailOptions: ParsableArguments {
  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "When to fail although no flow failed: 'partial' (a flow lacks records) and 'rejected:5%' or 'rejected:20' (more records of a flow are rejected) are for 'run'; 'no-flows' (nothing is selected) applies unless '!no-flows' is given. Repeatable.",
      valueName: "what"))
  var conditions: [String] = []
}

/// The option for the folder of the fixtures.
struct FixtureFolderOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of recordings and goldens. (default: fixtures)", valueName: "folder"))
  var fixtures: String?
}

/// The options for the folder and the use of fixtures.
struct FixtureOptions: ParsableArguments {
  @OptionGroup var folder: FixtureFolderOption

  @Option(
    help: ArgumentHelp(
      "'none' only replays, 'once' records flows without a cassette, 'new' records what is missing, 'all' everything.",
      valueName: "mode"))
  var record: String?

  @Option(
    help: ArgumentHelp("Which goldens are written: none, new or all.", valueName: "which"))
  var update: String?

  @Flag(name: .customLong("allow-record-in-ci"), help: "Record although CI is set.")
  var allowRecordInCI = false

  @Option(
    help: ArgumentHelp(
      "What happens when no request uses a recording: fail, warn or ignore. (default: warn, in CI fail)",
      valueName: "what"))
  var unused: String?

  @Option(
    help: ArgumentHelp(
      "What happens when recordings are older than 'fixture.max_age': fail, warn or ignore. (default: warn)",
      valueName: "what"))
  var stale: String?

  @Option(help: ArgumentHelp("How many differences are shown: short, full or none. (default: short)", valueName: "how"))
  var diff: String?

  @Option(
    name: .customLong("max-diffs"), help: ArgumentHelp("Differences to show per flow. (default: 10)", valueName: "n"))
  var maximumDifferences: String?
}

/// The options that limit how much of a run happens at the same time.
struct JobOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Flows that run at once. (default: 8)", valueName: "n"))
  var jobs: String?
  @Option(
    name: .customLong("max-per-host"), help: ArgumentHelp("Flows of one host at once. (default: 4)", valueName: "n"))
  var perHost: String?
}

/// The options for reports and times.
struct ReportOptions: ParsableArguments {
  @Flag(name: .customLong("no-timing"), help: "Leave times out, so that equal runs give equal output.")
  var noTiming = false
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json, github or ndjson (events). Repeatable; '-' is standard output.",
      valueName: "kind[=path]"))
  var reports: [String] = []
}

/// The options that stop a run before all flows have run.
struct StopOptions: ParsableArguments {
  @Option(
    name: .customLong("total-timeout"),
    help: ArgumentHelp("Time limit of the whole run; then its flows are cancelled.", valueName: "duration"))
  var totalTimeout: String?
  @Option(
    name: .customLong("max-fail"),
    help: ArgumentHelp("Start no more flows after this number of flows did not pass.", valueName: "n"))
  var maxFail: String?
  @Option(
    help: ArgumentHelp(
      "How long running flows may go on after Ctrl-C or SIGTERM; 0s cancels them at once. (default: 20s)",
      valueName: "duration"))
  var grace: String?
}
