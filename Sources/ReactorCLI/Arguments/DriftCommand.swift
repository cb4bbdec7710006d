internal import ArgumentParser

/// `reactor drift`
struct DriftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift", abstract: "Ask the servers and tell in what they differ from the recordings.",
    discussion: """
      Examples:
        reactor drift
        reactor drift -s 'shop.*' --values

      Nothing is written. Fields, types and statuses count; values do with --values.
      Ends with 1 where something changed.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(help: "Tell changed values too.")
  var values = false
  @Option(
    name: .customLong("max-diffs"), help: ArgumentHelp("Changes shown of one flow. (default: 20)", valueName: "n"))
  var mostDifferences: String?
  @OptionGroup(title: "Running") var jobs: JobOptions
  @Option(help: ArgumentHelp("Replaces the time limit of every flow's request: 30s, 5m, 1h.", valueName: "duration"))
  var timeout: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}
