internal import ArgumentParser

/// `reactor record`
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Run flows against their servers and record the responses as fixtures.",
    discussion: """
      Examples:
        reactor record
        reactor record -s billing.payments --record new
        reactor record --record-on-error -s 'shop.*'

      Each flow that passed gives fixtures/<flow>/cassette.yaml, with larger answers
      beside it in bodies/. Secrets are taken out by value, in whatever encoding
      they come back. Then the flow is replayed from its recording: where it has no
      goldens, these are written; what differs from them waits for
      'reactor review'.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Fixtures") var fixtures: FixtureOptions
  @Flag(name: .customLong("record-on-error"), help: "Record flows that did not pass too.")
  var onError = false
  @OptionGroup(title: "Running") var jobs: JobOptions
  @Option(help: ArgumentHelp("Replaces the time limit of every flow's request: 30s, 5m, 1h.", valueName: "duration"))
  var timeout: String?
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}
