internal import FlowModel

/// The script of an array job of Slurm.
enum SlurmScript: EngineExport {
  static func text(of job: ExportedJob) throws(ExportError) -> String {
    let file = "\(job.name).slurm"
    var head = job.head
    head += ["", "Submit it:          sbatch \(file)"]
    if job.isShared {
      head.append("See how far it is:  reactor status slurm-JOB")
      head.append("Read its report:    \(job.name)-JOB.json, or reactor report --run slurm-JOB")
    } else {
      head.append("Join the reports:   reactor report merge \(job.name)-JOB-*.json")
    }
    if !job.environment.isEmpty { head.append("The environment of sbatch is that of the processes.") }
    if let schedule = job.schedule, let cron = try job.cron(for: "the crontab of a machine") {
      let zone = schedule.value.zone?.value ?? "UTC"
      head += [
        "", "The line of a crontab that submits it, on a machine whose time zone is \(zone):",
      ]
      head.append("  \(cron) cd \(job.folder.map { ShellText.commandInComment([$0]) } ?? "FOLDER") && sbatch \(file)")
    }
    var options = ["--job-name=\(job.name)", "--array=1-\(job.tasks)", "--output=\(job.name)-%A-%a.log"]
    // A task that is started again goes on in its log.
    options += ["--open-mode=append", "--requeue"]
    // The shell of the script becomes the process of reactor, which ends gracefully.
    options.append("--signal=B:TERM@60")
    if let seconds = job.seconds { options.append("--time=\((seconds + 59) / 60)") }
    if let folder = job.folder { options.append("--chdir=\(try path(folder))") }
    // One task writes the report of a run with shared state, and nobody knows which one.
    let report = "\(job.name)-${SLURM_ARRAY_JOB_ID}" + (job.isShared ? "" : "-${SLURM_ARRAY_TASK_ID}")
    let command = "exec reactor \(ShellText.words(job.arguments(part: "auto"))) --report \"json=\(report).json\""
    return "#!/bin/bash\n" + ExportedJob.comment(head) + "#\n" + options.map { "#SBATCH \($0)\n" }.joined()
      // Words in quotes are meant as they are written.
      + "# shellcheck disable=SC1003,SC2016\n\n" + job.script(command + (job.jitter == 0 ? "\n" : ""))
  }

  /// A path as sbatch reads it.
  private static func path(_ path: String) throws(ExportError) -> String {
    if path.wholeMatch(of: /[A-Za-z0-9_.\/+@:,=-]+/) != nil { return path }
    guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }) else {
      throw ExportError(
        "--folder: sbatch cannot read quotes, backslashes and control characters in a path", help: "write another path")
    }
    return "\"\(path)\""
  }
}
