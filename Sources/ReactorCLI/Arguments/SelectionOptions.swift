internal import ArgumentParser

/// Which flows of which files.
struct SelectionOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Files, or folders to search for *.yaml and *.yml. (default: flows)", valueName: "path"))
  var paths: [String] = []

  @Option(
    name: [.customShort("s", allowingJoined: true), .customLong("select")],
    help: ArgumentHelp(
      "Flows by name ('shop.*'), 'tag:daily', 'path:flows/shop*' or 'result:failed' (last run). A space or a repeated flag unites, a comma intersects.",
      valueName: "expression"))
  var select: [String] = []

  @Option(help: ArgumentHelp("Leaves flows out; written like --select.", valueName: "expression"))
  var exclude: [String] = []

  @Flag(name: .customLong("last-failed"), help: "Only flows that did not pass when last run, or never ran.")
  var lastFailed = false

  @Option(
    help: ArgumentHelp(
      "One part of N of the selection, for N machines: 2/5. A flow keeps its part when others come or go.",
      valueName: "i/n"))
  var shard: String?

  @Option(
    name: .customLong("no-flows"),
    help: ArgumentHelp("Whether an empty selection is to fail or to pass. (default: fail)", valueName: "what"))
  var noFlows: String?
}
