internal import ArgumentParser

/// Values for the names that files refer to.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp(
      "A value for a variable of the files; also REACTOR_VAR_<name>. Repeatable.", valueName: "name=value"))
  var variables: [String] = []

  @Option(
    name: .customLong("secret-file"),
    help: ArgumentHelp(
      "A file with lines NAME=value. Secrets that it does not name come from the environment.", valueName: "file"))
  var secretFile: String?

  /// Known only to be refused with a reason: the process list shows arguments to everybody on the machine.
  @Option(name: .customLong("secret"), help: .hidden)
  var secret: [String] = []
}
