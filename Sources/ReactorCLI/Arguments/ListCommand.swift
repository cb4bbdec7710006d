internal import ArgumentParser

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
  @Option(help: ArgumentHelp("The folder below which results are kept. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}
