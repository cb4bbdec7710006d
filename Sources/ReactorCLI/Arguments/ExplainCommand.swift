internal import ArgumentParser

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
        reactor explain graph                        which flow takes its records from which others
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
