internal import ArgumentParser

/// What is printed, and how.
struct OutputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("text or json. (default: text)", valueName: "format"))
  var format: String?
  @Flag(name: .shortAndLong, help: "Print problems only.")
  var quiet = false
  @Flag(name: .shortAndLong, help: "Print more: rejected records, times by step.")
  var verbose = false
  @Option(help: ArgumentHelp("auto, always or never. (default: auto)", valueName: "when"))
  var color: String?
}
