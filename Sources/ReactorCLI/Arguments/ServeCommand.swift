internal import ArgumentParser

/// `reactor serve`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer HTTP requests on this machine from recordings.",
    discussion: """
      Examples:
        reactor serve --port 8080
        reactor serve -s 'shop.*' --fault 'customers#2=503' --fault 'orders=delay:2s'

      The server's URL is the first line on standard output. A fault is
      PATTERN[#N]=WHAT: the Nth request whose address or flow holds the pattern gets
      a status, delay:500ms, cut, reset, empty or garbage.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup var folder: FixtureFolderOption
  @Option(help: ArgumentHelp("The port of 127.0.0.1. (default: one that is free)", valueName: "number"))
  var port: String?
  @Option(
    name: .customLong("fault"), help: ArgumentHelp("Something that goes wrong. Repeatable.", valueName: "fault"))
  var faults: [String] = []
  @OptionGroup(title: "Output") var output: OutputOptions
}
