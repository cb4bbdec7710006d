internal import ArgumentParser

/// Where fixtures are.
struct FixtureFolderOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of recordings and goldens. (default: fixtures)", valueName: "folder"))
  var fixtures: String?
}

/// Where fixtures are and how they are used.
struct FixtureOptions: ParsableArguments {
  @OptionGroup var folder: FixtureFolderOption

  @Option(
    help: ArgumentHelp(
      "none replays only, once records flows without a cassette, new records what is missing, all records anew.",
      valueName: "mode"))
  var record: String?

  @Option(
    help: ArgumentHelp("Which goldens are written: none, new or all.", valueName: "which"))
  var update: String?

  @Flag(name: .customLong("allow-record-in-ci"), help: "Record although CI is set.")
  var allowRecordInCI = false

  @Option(
    help: ArgumentHelp(
      "What becomes of recordings that no request asked for: fail, warn or ignore. (default: warn, in CI fail)",
      valueName: "what"))
  var unused: String?

  @Option(
    help: ArgumentHelp(
      "What becomes of recordings older than 'fixture.max_age': fail, warn or ignore. (default: warn)",
      valueName: "what"))
  var stale: String?

  @Option(help: ArgumentHelp("How many differences are shown: short, full or none. (default: short)", valueName: "how"))
  var diff: String?

  @Option(
    name: .customLong("max-diffs"), help: ArgumentHelp("Differences shown of one flow. (default: 10)", valueName: "n"))
  var mostDifferences: String?
}

/// How much of a run goes on at once.
struct JobOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Flows that run at once. (default: 8)", valueName: "n"))
  var jobs: String?
  @Option(
    name: .customLong("max-per-host"), help: ArgumentHelp("Flows of one host at once. (default: 4)", valueName: "n"))
  var perHost: String?
}

/// Reports and times.
struct ReportOptions: ParsableArguments {
  @Flag(name: .customLong("no-timing"), help: "Leave times out, so that equal runs give equal output.")
  var noTiming = false
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json, github or ndjson (events). Repeatable; '-' is standard output.",
      valueName: "kind[=path]"))
  var reports: [String] = []
}
