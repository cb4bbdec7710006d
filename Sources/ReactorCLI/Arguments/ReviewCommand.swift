internal import ArgumentParser

/// `reactor review`
struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Step through what differs from the goldens, and decide.",
    discussion: """
      Examples:
        reactor review
        reactor review -s billing.payments

      For each record and each decision of the flow: a accepts, r rejects, s leaves it
      waiting; A and R do so with all that is left of the flow; q ends. Responses are
      read from standard input, one a line. Where nothing can be read, the command
      only shows what waits and ends with 1.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Flag(name: .customLong("no-input"), help: "Show what waits; ask nothing.")
  var noInput = false
  @OptionGroup(title: "Output") var output: OutputOptions
}

/// `reactor accept`
struct AcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Take what differs as the new goldens.",
    discussion: """
      Examples:
        reactor accept
        reactor accept -s billing.payments --key id=pay_18
      """)

  @OptionGroup(title: "Decision") var decision: DecisionOptions
}

/// `reactor reject`
struct RejectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject", abstract: "Keep the goldens and drop what differs.",
    discussion: """
      Examples:
        reactor reject
        reactor reject -s billing.payments --key waits_ms
      """)

  @OptionGroup(title: "Decision") var decision: DecisionOptions
}

/// What a decision is about.
struct DecisionOptions: ParsableArguments {
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "Only the record of this key (id=7), or the decision of this name (requests). Repeatable.", valueName: "key"))
  var keys: [String] = []
  @OptionGroup var folder: FixtureFolderOption
  @OptionGroup(title: "Output") var output: OutputOptions
}
