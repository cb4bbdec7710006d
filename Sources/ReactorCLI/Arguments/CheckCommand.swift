internal import ArgumentParser

/// `reactor check`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    // As for RunCommand.
    commandName: "check", _superCommandName: "reactor",
    abstract: "Find every mistake in flow files; touches neither network nor results.",
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
