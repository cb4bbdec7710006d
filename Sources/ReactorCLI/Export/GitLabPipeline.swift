internal import FlowModel

/// A pipeline of GitLab with a parallel job.
enum GitLabPipeline: EngineExport {
  static func text(of job: ExportedJob) throws(ExportError) -> String {
    try job.check(mostTasks: 200, "GitLab")
    var head = job.head
    if !job.environment.isEmpty { head.append("Set them as CI/CD variables, secrets masked and protected.") }
    if let schedule = job.schedule, let cron = try job.cron(for: "GitLab") {
      head += [
        "", "GitLab keeps schedules outside of this file. Create one (Build > Pipeline schedules):",
        "  cron \(cron), time zone \(schedule.value.zone?.value ?? "UTC")",
      ]
    }
    // It starts by a schedule or by hand, and not with each commit.
    let rule = ("if", YAMLTree.text("$CI_PIPELINE_SOURCE == \"schedule\" || $CI_PIPELINE_SOURCE == \"web\""))
    let image = YAMLTree.map([("name", .text(job.image)), ("entrypoint", .list([.text("")], isFlow: true))])
    let command = "reactor \(ShellText.words(job.arguments(part: "auto"))) --report json=part-$CI_NODE_INDEX.json"
    let run = YAMLTree.entries([
      ("image", image), ("rules", .list([.map([rule])])), ("parallel", .number(job.tasks)),
      ("timeout", job.seconds.map { .text("\(($0 + 59) / 60) minutes") }),
      ("script", .list([.text(job.script(command))])),
      (
        "retry",
        .map([
          ("max", .number(2)), ("when", .texts(["runner_system_failure", "stuck_or_timeout_failure"])),
          // A server or the network; another error would only come again.
          ("exit_codes", .list([.number(5), .number(74)], isFlow: true)),
        ])
      ),
      ("artifacts", .map([("when", .text("always")), ("paths", .texts(["part-*.json"]))])),
    ])
    let report = YAMLTree.map([
      ("stage", .text(".post")), ("image", image),
      ("rules", .list([.map([rule, ("when", .text("always"))])])), ("needs", .texts([job.name])),
      ("script", .texts(["reactor report merge part-*.json --report junit=junit.xml"])),
      (
        "artifacts",
        .map([("when", .text("always")), ("reports", .map([("junit", .text("junit.xml"))]))])
      ),
    ])
    return ExportedJob.comment(head) + "\n" + YAMLTree.map([(job.name, run), ("\(job.name)-report", report)]).document
  }
}
