internal import ArgumentParser

/// `reactor fixtures`
struct FixturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixtures", abstract: "Look after recordings and goldens.",
    subcommands: [
      FixturesListCommand.self, FixturesVerifyCommand.self, FixturesPruneCommand.self, FixturesRedactCommand.self,
      FixturesImportCommand.self, FixturesExportCommand.self,
    ])
}

/// `reactor fixtures list`
struct FixturesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the recordings, their age and size, and what waits for a decision.",
    aliases: ["ls"])
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor fixtures verify`
struct FixturesVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Find recordings that cannot be read, are stale, belong to no flow, or hold a secret.",
    discussion: """
      Secrets are looked for by value: give them as to a run, by the environment or
      --secret-file. Ends with 5 where one is found or a file cannot be read, with 6
      where something is stale, left over or waits for a decision.
      """)
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor fixtures prune`
struct FixturesPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove recordings that no request asks for, and folders of flows that are gone.",
    discussion: "Each flow is replayed to see what it asks for. Without --yes only what would go is shown.")
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(help: "Remove it.")
  var yes = false
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor fixtures redact`
struct FixturesRedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact", abstract: "Take secrets out of recordings that are there already.",
    discussion: "Secrets are given as to a run, by the environment or --secret-file.")
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor fixtures import`
struct FixturesImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a flow's recording of a HAR file or of a cassette of VCR or vcrpy.",
    discussion: """
      Examples:
        reactor fixtures import browser.har -s shop.customers
        reactor fixtures import tests/cassettes/list.yaml -s shop.customers

      Exactly one flow must be selected; requests to its server alone are taken.
      """)
  @Argument(help: ArgumentHelp("A .har, .json or .yaml file.", valueName: "recording"))
  var recording: String
  @Option(name: [.customShort("s", allowingJoined: true), .customLong("select")], help: "The flow.")
  var select: [String] = []
  @Option(
    name: .customLong("flows"), help: ArgumentHelp("Files or folders of flows. (default: flows)", valueName: "path"))
  var paths: [String] = []
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor fixtures export`
struct FixturesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write recordings as a HAR file.",
    discussion: """
      Examples:
        reactor fixtures export -s shop.customers > shop.har
      """)
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var folder: FixtureFolderOption
  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp("What stands for the server. (default: https://base.invalid)", valueName: "url"))
  var baseURL: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}
