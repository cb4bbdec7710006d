internal import ArgumentParser

/// `reactor test`
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Replay recorded flows without a network and compare with their goldens.",
    discussion: """
      Examples:
        reactor test
        reactor test -s 'billing.*' --diff full
        reactor test --update new                  write goldens that are not there
        reactor test --report junit=junit.xml --patch accept.patch

      No socket is opened, waits take no time, and results are kept nowhere. In CI
      (CI is set) nothing is recorded and no golden is written.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Fixtures") var fixtures: FixtureOptions
  @Option(
    help: ArgumentHelp("Writes what 'git apply' needs to accept all differences.", valueName: "file"))
  var patch: String?
  @OptionGroup(title: "Running") var jobs: JobOptions
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}
