internal import ArgumentParser

/// The option that names the state that several processes share.
struct StateOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A PostgreSQL database with the state that processes on several machines share.", valueName: "url"))
  var state: String?

  /// The word for no shared state, whatever flow files declare.
  static let none = "none"
  /// What `reactor check --state` without a URL stands for.
  static let alone = "declared"
}

/// The options of a run in which several processes take part.
struct SharedOptions: ParsableArguments {
  @OptionGroup var state: StateOption
  @Option(
    help: ArgumentHelp(
      "The name of a run; all processes with the same name and --state take part in it, each flow in one of them. (default: that of the Slurm, Kubernetes or CI job)",
      valueName: "name"))
  var run: String?
}
