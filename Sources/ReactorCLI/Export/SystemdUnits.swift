internal import FlowModel

/// The units of systemd: a service, its timer, and what is started when it fails.
enum SystemdUnits: EngineFolder {
  /// The files one after another, each below its path, as `systemctl cat` shows them.
  static func text(of job: ExportedJob) throws(ExportError) -> String {
    try files(of: job).map { "# /etc/systemd/system/\($0.name)\n\($0.text)" }.joined(separator: "\n")
  }

  static func files(of job: ExportedJob) throws(ExportError) -> [ExportedFile] {
    var files = [
      ExportedFile(name: "\(job.name).service", text: try service(job)),
      ExportedFile(name: "\(job.name)-failed.service", text: failed(job)),
    ]
    if let schedule = job.schedule?.value {
      files.append(ExportedFile(name: "\(job.name).timer", text: timer(job, schedule)))
    }
    return files
  }

  // MARK: - Units

  private static func service(_ job: ExportedJob) throws(ExportError) -> String {
    let machine = try MachineJob(job)
    for (flag, path) in [("folder", machine.folder), ("root", machine.root)] {
      guard let hidden = hiddenFolders.first(where: { "\(path)/".hasPrefix("\($0)/") }) else { continue }
      throw ExportError(
        "--\(flag) '\(path)' is hidden from the service, which sees nothing of \(hidden)",
        help: "use a folder such as /srv/\(job.name)")
    }
    guard job.root == nil || job.user != nil else {
      throw ExportError(
        "--root needs a user who owns the folder, and without --user the service has one only while it runs",
        help: "add --user, or leave --root out: the results are then below \(machineRoot(job))")
    }
    return head(job, machine)
      + section(
        "Unit",
        [
          "Description=Flows of \(job.name), run by reactor", "Wants=network-online.target",
          "After=network-online.target", "OnFailure=\(job.name)-failed.service",
        ])
      + section(
        "Service",
        [
          "Type=oneshot", "ExecStart=\(machine.command.map(UnitText.word).joined(separator: " "))",
          "WorkingDirectory=\(UnitText.path(machine.folder))",
        ] + credentials(of: job).map { "LoadCredential=\($0.name):\(UnitText.path($0.path))" }
          + (job.variables.isEmpty ? [] : ["EnvironmentFile=\(environmentFile(job))"])
          + (job.seconds.map { ["TimeoutStartSec=\($0)"] } ?? [])
          + [
            // The program itself ends its flows, and what it has started.
            "KillMode=mixed",
            // More than --grace, and the time to save.
            "TimeoutStopSec=60",
          ] + (job.user.map { ["User=\($0)"] } ?? ["DynamicUser=yes"])
          + [job.root == nil ? "StateDirectory=\(job.name)" : "ReadWritePaths=\(UnitText.item(machine.root))"]
          + hardening + ["RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX"])
  }

  private static func failed(_ job: ExportedJob) -> String {
    ExportedJob.comment([
      "Started when \(job.name).service has failed. It writes an error into the journal. For something else:",
      "systemctl edit \(job.name)-failed.service, with a line 'ExecStart=' and a second one with your command.",
    ])
      + section("Unit", ["Description=Reports that \(job.name).service has failed"])
      + section(
        "Service",
        [
          "Type=oneshot",
          "ExecStart=logger --priority user.err --tag \(job.name) "
            + "\"\(job.name).service has failed (${MONITOR_SERVICE_RESULT}): journalctl -u \(job.name)\"",
          "DynamicUser=yes",
        ] + hardening + ["PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX"])
  }

  private static func timer(_ job: ExportedJob, _ schedule: Schedule) -> String {
    let starts: [String]
    if let times = schedule.times {
      starts =
        CalendarText.expressions(of: times, zone: schedule.zone?.value ?? "UTC").map { "OnCalendar=\($0)" }
        // A start that was missed while the machine was off is made up for.
        + ["Persistent=true"]
    } else if case .every(let seconds) = schedule.start {
      // No calendar has such a period: it begins when the timer does.
      starts = ["OnActiveSec=0", "OnUnitActiveSec=\(seconds)"]
    } else {
      starts = []
    }
    return section("Unit", ["Description=Starts \(job.name).service: \(UnitText.path(schedule.text))"], isFirst: true)
      + section(
        "Timer",
        starts + (job.jitter == 0 ? [] : ["RandomizedDelaySec=\(job.jitter)"]) + ["AccuracySec=1s"])
      + section("Install", ["WantedBy=timers.target"])
  }

  // MARK: - Parts

  private static func head(_ job: ExportedJob, _ machine: MachineJob) -> String {
    var head = job.head
    head += [
      "",
      "The flow files belong in \(ShellText.commandInComment([machine.folder])), the results are in "
        + "\(ShellText.commandInComment([machine.root])).",
    ]
    if job.schedule == nil {
      head.append("After 'systemctl daemon-reload':  systemctl start \(job.name).service")
    } else {
      head.append("After 'systemctl daemon-reload':  systemctl enable --now \(job.name).timer")
    }
    if let user = job.user {
      head.append("What must exist:  useradd --system \(user)")
      if job.root != nil {
        head.append("                  \(ShellText.commandInComment(["install", "-d", "-o", user, machine.root]))")
      }
    }
    for secret in job.secrets {
      head.append("A secret from standard input:  install -D -m 600 /dev/stdin /etc/credstore/\(secret)")
    }
    if !job.variables.isEmpty { head.append("The variables are lines NAME=value in \(environmentFile(job))") }
    return ExportedJob.comment(head)
  }

  /// The credentials of the service, and the files that only root can read.
  private static func credentials(of job: ExportedJob) -> [(name: String, path: String)] {
    (job.secrets.map { ($0, "/etc/credstore/\($0)") } + job.secretFiles).sorted { $0.name < $1.name }
  }

  private static func machineRoot(_ job: ExportedJob) -> String { "/var/lib/\(job.name)" }

  private static func environmentFile(_ job: ExportedJob) -> String { "/etc/reactor/\(job.name).env" }

  private static func section(_ name: String, _ lines: [String], isFirst: Bool = false) -> String {
    "\(isFirst ? "" : "\n")[\(name)]\n" + lines.map { "\($0)\n" }.joined()
  }

  /// The folders of which a service with `ProtectHome` and `PrivateTmp` sees nothing.
  private static let hiddenFolders = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]

  /// What a process may not do. It reads files, writes its own folder, and calls servers.
  private static let hardening = [
    "UMask=0027", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "PrivateDevices=yes",
    "PrivateUsers=yes", "ProtectProc=invisible", "ProcSubset=pid", "ProtectClock=yes", "ProtectControlGroups=yes",
    "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes",
    "NoNewPrivileges=yes", "CapabilityBoundingSet=", "LockPersonality=yes", "MemoryDenyWriteExecute=yes",
    "RemoveIPC=yes", "RestrictNamespaces=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native", "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM",
  ]
}
