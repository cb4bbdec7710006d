internal import FlowModel

/// A file of `/etc/cron.d` with the line that starts the job.
///
/// The text has nothing that one cron reads and another one does not: no `CRON_TZ`, which Debian's cron ignores without
/// a word, and no backslash before anything but a percent sign.
enum CronLine: EngineExport {
  /// The longest command that Debian's cron takes, in bytes.
  private static let longest = 998

  static func text(of job: ExportedJob) throws(ExportError) -> String {
    guard let schedule = job.schedule, let fields = try job.cron(for: "cron") else {
      throw ExportError("the flows have no schedule, and cron needs one", help: "add 'schedule' to them")
    }
    if let variable = job.variables.first {
      throw ExportError(
        "cron has no place for a value of '\(variable)'",
        help: "add --var \(variable.dropFirst("REACTOR_VAR_".count))=VALUE, or give the variable a default")
    }
    let user = job.user ?? job.name
    guard user.utf8.count <= 31 else {
      throw ExportError("'\(user)' is too long for the name of a user", help: "add --user or --name")
    }
    let secrets = "/etc/reactor/\(job.name).secrets"
    let more = (job.secrets.isEmpty ? [] : ["--secret-file", secrets]) + ["--quiet"]
    let machine = try MachineJob(job, more: more)
    let command = try escaped(
      check(schedule.value, job) + "cd \(ShellText.word(machine.folder)) && "
        + (job.jitter == 0 ? "" : "\(ShellText.jitter(job.jitter)) && ") + "exec \(ShellText.words(machine.command))",
      words: [machine.folder] + machine.command)
    var head = job.head
    head += [
      "", "Install it as root:  install -m 644 \(job.name).cron /etc/cron.d/\(job.name)",
      "The flow files belong in \(ShellText.commandInComment([machine.folder])), the results are in "
        + "\(ShellText.commandInComment([machine.root])).",
      "What must exist:     useradd --system \(user)",
      "                     \(ShellText.commandInComment(["install", "-d", "-o", user, machine.root]))",
    ]
    if !job.secrets.isEmpty {
      head.append("The secrets are lines NAME=value:  install -m 600 -o \(user) /dev/stdin \(secrets)")
    }
    if hasZone(schedule.value) {
      head.append(
        "The time zone of the machine must be \(zone(schedule.value)): cron has no other one. Each start checks it.")
    }
    head.append("cron mails what is printed, and only problems are.")
    return ExportedJob.comment(head) + "\nSHELL=/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin\nMAILTO=root\n\n"
      + "\(fields) \(user) \(command)\n"
  }

  /// A command as cron reads it: it makes a line break of `%`, and some crons drop a backslash before another one.
  private static func escaped(_ command: String, words: [String]) throws(ExportError) -> String {
    for word in words where word.unicodeScalars.contains(where: { $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F }) {
      throw ExportError(
        "cron cannot pass \(ShellText.commandInComment([word])) to a command",
        help: "use a text without backslashes and control characters")
    }
    let escaped = command.replacing("%", with: #"\%"#)
    guard escaped.utf8.count <= longest else {
      throw ExportError(
        "the command has \(escaped.utf8.count) bytes, and cron takes at most \(longest)",
        help: "select flows by a tag, or put values into the flow files")
    }
    return escaped
  }

  // MARK: - Time zone

  private static func zone(_ schedule: Schedule) -> String { schedule.zone?.value ?? "UTC" }

  /// Whether the starts are others in another time zone.
  private static func hasZone(_ schedule: Schedule) -> Bool {
    guard case .cron(let times) = schedule.start else { return false }
    return ![times.hour, times.day, times.month, times.weekday].allSatisfy(\.isAny)
  }

  /// A command that ends the line where the machine's clock is not that of the schedule.
  private static func check(_ schedule: Schedule, _ job: ExportedJob) -> String {
    guard hasZone(schedule) else { return "" }
    let zone = zone(schedule)
    return "[ \"$(date +%z)\" = \"$(TZ=\(ShellText.word(zone)) date +%z)\" ] || "
      + "{ echo \(ShellText.word("\(job.name): the time zone of this machine is not \(zone): nothing was run")); exit 1; }; "
  }
}
