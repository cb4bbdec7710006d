internal import ArgumentParser

/// `reactor state`
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Show or change up to where flows with a cursor have come, and which parents are known.",
    discussion: """
      Examples:
        reactor state show
        reactor state show -s 'shop.*' --format json
        reactor state set 2024-06-01 -s shop.orders
        reactor state reset -s shop.orders --parent 7

      Nobody is asked over the network.
      """,
    subcommands: [StateShowCommand.self, StateSetCommand.self, StateResetCommand.self])
}

/// What all commands about what is remembered take.
struct StateOptions: ParsableArguments {
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @Option(help: ArgumentHelp("The folder below which results are kept. (default: .)", valueName: "folder"))
  var root: String?
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor state show`
struct StateShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the greatest value of each flow, or of each of its parents, and the parents that are known.")

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions
}

/// `reactor state set`
struct StateSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Let the next runs of flows go on from a value.",
    discussion: "The flows must have a result already; 'reactor run --since VALUE' begins elsewhere without one.")

  @Argument(
    help: ArgumentHelp("A timestamp, a date, an integer or a text, as the field's type is.", valueName: "value"))
  var value: String
  @Option(help: ArgumentHelp("The parent whose value it is, as 'reactor state show' names it.", valueName: "key"))
  var parent: String?
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions
}

/// `reactor state reset`
struct StateResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Let the next runs of flows begin where the first run began.",
    discussion: "The results stay, and what comes again is merged with them.")

  @Option(help: ArgumentHelp("Only this parent's value, as 'reactor state show' names it.", valueName: "key"))
  var parent: String?
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup var options: StateOptions
}
