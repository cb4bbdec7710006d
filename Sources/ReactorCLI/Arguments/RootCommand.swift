internal import ArgumentParser

/// The command line as a whole.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reactor",
    abstract: "Pulls data over HTTP as YAML files declare it, and keeps it as records.",
    discussion: """
      Examples:
        reactor check                          find every mistake in flows/
        reactor run                            run every flow of flows/
        reactor run flows/shop.yaml -s tag:daily --fresh
        reactor explain shop.customers         what a flow would do
        reactor explain persistence.expires_after
        reactor list --select 'shop.*'

      Every flag can also be given as an environment variable: REACTOR_JOBS=4,
      REACTOR_FORMAT=json, REACTOR_QUIET=true.

      Exit codes:
        0  all passed                  5    a flow could not be judged: network,
        1  an answer did not fit            authentication, timeout
        2  wrong command line          70   a fault of this program
        3  a file does not load        74   a result or report was not written
        4  nothing selected            130, 143   ended by a signal
      """,
    version: "reactor \(ToolVersion.text)",
    subcommands: [
      RunCommand.self, CheckCommand.self, ListCommand.self, ExplainCommand.self, SchemaCommand.self,
      VersionCommand.self,
    ])

  /// The words that a command line may begin with.
  static let commandNames = ["run", "check", "list", "explain", "schema", "version", "help"]
}

/// `reactor run`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run flows and keep their results.",
    discussion: """
      Examples:
        reactor run
        reactor run flows/shop.yaml --var since=2024-06-01 --secret-file secrets.env
        reactor run -s 'shop.*' -s tag:daily --exclude 'tag:slow'
        reactor run --fresh --jobs 16 --max-per-host 2 --timeout 2m
        reactor run --format json --no-timing > summary.json

      A flow takes its persisted result while that may be used, else it asks the
      server. Results come on standard output in the order of the files,
      everything else on standard error.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions

  @Flag(help: "Ask the server even where a persisted result may be used.")
  var fresh = false
  @Flag(help: "Use persisted results only; open no connection.")
  var offline = false
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
  @OptionGroup(title: "Output") var output: OutputOptions
  @Flag(name: .customLong("no-timing"), help: "Leave times out, so that equal runs give equal output.")
  var noTiming = false
}

/// `reactor check`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find every mistake in flow files; touches neither network nor results.",
    discussion: """
      Examples:
        reactor check
        reactor check flows/shop.yaml
        reactor check --format json
      """)

  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor list`
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show which flows there are, or what a selection means.",
    discussion: """
      Examples:
        reactor list
        reactor list -s tag:daily,path:flows/shop
        reactor list --format json
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain a flow, a key of the language, or the code of a diagnostic.",
    discussion: """
      Examples:
        reactor explain shop.customers               what the flow would do; opens no connection, shows no secret
        reactor explain persistence.expires_after    a key
        reactor explain 'flows.*.prune'
        reactor explain flow.unknown-key             the code behind a message
      """)

  @Argument(help: "A flow's id or name, a key, or a diagnostic's code.")
  var what: String
  @Argument(help: ArgumentHelp("Where to look for the flow. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @Option(help: ArgumentHelp("The folder below which results are kept. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor schema`
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print a JSON Schema, for editors and other tools.",
    discussion: """
      Examples:
        reactor schema > schemas/flow.schema.json
        reactor schema schema > schemas/schema.schema.json
        reactor schema summary                       of the output of 'reactor run --format json'
      """)

  @Argument(help: ArgumentHelp("flow, schema or summary. (default: flow)", valueName: "which"))
  var which: String = "flow"
}

/// `reactor version`
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")
}
