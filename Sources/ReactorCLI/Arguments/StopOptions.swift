internal import ArgumentParser

/// When a run stops before all flows were run.
struct StopOptions: ParsableArguments {
  @Option(
    name: .customLong("total-timeout"),
    help: ArgumentHelp("The longest the whole run may take; then its flows are cancelled.", valueName: "duration"))
  var totalTimeout: String?
  @Flag(name: .customLong("fail-fast"), help: "Begin no more flows after the first that did not pass.")
  var failFast = false
  @Option(
    name: .customLong("max-fail"),
    help: ArgumentHelp("Begin no more flows after so many that did not pass.", valueName: "n"))
  var maxFail: String?
  @Option(
    help: ArgumentHelp(
      "How long running flows may go on after Ctrl-C or SIGTERM; 0s cancels them at once. (default: 20s)",
      valueName: "duration"))
  var grace: String?
}
