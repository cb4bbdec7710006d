internal import ArgumentParser

/// Which flows of which files.
struct SelectionOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .customLong("select")],
    help: ArgumentHelp(
      "Flows by name ('shop.*'), 'tag:daily' or 'path:flows/shop*'. A space or a repeated flag unites, a comma intersects.",
      valueName: "expression"))
  var select: [String] = []

  @Option(help: ArgumentHelp("Leaves flows out; written like --select.", valueName: "expression"))
  var exclude: [String] = []
}
