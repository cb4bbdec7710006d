internal import FlowModel

/// A workflow of GitHub Actions with a matrix.
enum GitHubWorkflow: EngineExport {
  static func text(of job: ExportedJob) throws(ExportError) -> String {
    try job.check(mostTasks: 256, "GitHub")
    return ExportedJob.comment(job.head) + "\n"
      + YAMLTree.map([
        ("name", .text(job.name)),
        ("on", try starts(of: job)),
        ("permissions", .map([("contents", .text("read"))])),
        // Two runs at once would write the same results.
        ("concurrency", .map([("group", .text(job.name)), ("cancel-in-progress", .flag(false))])),
        ("jobs", .map([("run", run(job)), ("report", report(job))])),
      ]).document
  }

  private static func starts(of job: ExportedJob) throws(ExportError) -> YAMLTree {
    var starts: [(String, YAMLTree)] = [("workflow_dispatch", .map([]))]
    if let schedule = job.schedule, let cron = try job.cron(for: "GitHub") {
      if let zone = schedule.value.zone?.value, zone != "UTC" {
        throw job.unfit(
          "GitHub starts workflows by UTC only, and the schedule has the time zone \(zone)",
          help: "write the time in UTC without 'zone', or start the workflow from another engine")
      }
      if let gap = schedule.value.shortestGap, gap < 300 {
        throw job.unfit(
          "GitHub starts a workflow at most every 5 minutes, and the schedule is '\(cron)'",
          help: "write at least 5 minutes between two starts")
      }
      starts.append(("schedule", .list([.map([("cron", .text(cron))])])))
    }
    return .map(starts)
  }

  private static func run(_ job: ExportedJob) -> YAMLTree {
    let part = "${{ matrix.part }}"
    var command = "reactor \(literal(ShellText.words(job.arguments)))"
    if job.isShared {
      // GitHub has no variable that all processes of one attempt share, and no other attempt.
      command += " --run ${{ github.run_id }}-${{ github.run_attempt }}"
    } else {
      command += " --shard \(part)/\(job.tasks) --fail-on '!no-flows'"
    }
    command += " --report json=part-\(part).json --report github"
    return .entries([
      ("runs-on", .text("ubuntu-latest")),
      ("container", .text(job.image)),
      ("timeout-minutes", job.seconds.map { .number(($0 + 59) / 60) }),
      (
        "strategy",
        .map([
          ("fail-fast", .flag(false)),
          ("matrix", .map([("part", .list((1...job.tasks).map { .number($0) }, isFlow: true))])),
        ])
      ),
      ("env", job.environment.isEmpty ? nil : .map(environment(job))),
      (
        "steps",
        .list([
          .map([("uses", .text("actions/checkout@v4"))]),
          .map([("name", .text("Run the flows")), ("run", .text(job.script(command)))]),
          .map([
            ("uses", .text("actions/upload-artifact@v4")),
            ("if", .text("always()")),
            ("with", .map([("name", .text("\(job.name)-part-\(part)")), ("path", .text("part-\(part).json"))])),
          ]),
        ])
      ),
    ])
  }

  /// The job that joins the reports and ends with their exit code.
  private static func report(_ job: ExportedJob) -> YAMLTree {
    .map([
      ("needs", .text("run")),
      ("if", .text("${{ !cancelled() }}")),
      ("runs-on", .text("ubuntu-latest")),
      ("container", .text(job.image)),
      (
        "steps",
        .list([
          .map([
            ("uses", .text("actions/download-artifact@v4")),
            ("with", .map([("pattern", .text("\(job.name)-part-*")), ("merge-multiple", .flag(true))])),
          ]),
          .map([("run", .text("reactor report merge part-*.json --report github"))]),
        ])
      ),
    ])
  }

  private static func environment(_ job: ExportedJob) -> [(String, YAMLTree)] {
    job.hidden.map { ($0, .text("${{ secrets.\($0) }}")) }
      + job.variables.map { ($0, .text("${{ vars.\($0) }}")) }
  }

  /// A text in which GitHub fills in nothing.
  private static func literal(_ text: String) -> String { text.replacing("${{", with: "${{ '${{' }}") }
}
