internal import FlowModel

/// The manifest of an Indexed Job of Kubernetes, or of a CronJob that makes such jobs.
enum KubernetesManifest: EngineExport {
  /// The folder of the flow files in a container.
  private static let folder = "/etc/reactor"
  /// The most characters that a CronJob's name may have.
  private static let longestName = 52

  static func text(of job: ExportedJob) throws(ExportError) -> String {
    guard job.name.utf8.count <= longestName else {
      throw ExportError("the name '\(job.name)' is too long for Kubernetes", help: "write a shorter one with --name")
    }
    guard job.root?.hasPrefix("/") ?? true else {
      throw ExportError(
        "--root '\(job.root ?? "")' is not an absolute path, which Kubernetes needs", help: "write it as in /results")
    }
    let files = try MountedFile.files(of: job)
    let spec = spec(of: job, files)
    let meta = metadata(job)
    let manifest: YAMLTree
    if let schedule = job.schedule, let cron = try job.cron(for: "Kubernetes") {
      manifest = .map([
        ("apiVersion", .text("batch/v1")), ("kind", .text("CronJob")), ("metadata", meta),
        (
          "spec",
          .map([
            ("schedule", .text(cron)), ("timeZone", .text(schedule.value.zone?.value ?? "Etc/UTC")),
            // Two runs at once would write the same results.
            ("concurrencyPolicy", .text("Forbid")),
            ("jobTemplate", .map([("metadata", .map([labels(job)])), ("spec", spec)])),
          ])
        ),
      ])
    } else {
      manifest = .map([
        ("apiVersion", .text("batch/v1")), ("kind", .text("Job")), ("metadata", meta), ("spec", spec),
      ])
    }
    return ExportedJob.comment(head(of: job, files)) + "\n" + manifest.document
  }

  // MARK: - The comment

  private static func head(of job: ExportedJob, _ files: [MountedFile]) -> [String] {
    var head = job.head
    head += ["", "The flow files, again after each change:", "  kubectl create configmap \(job.name)-flows \\"]
    head += files.map { "    --from-file=\(ShellText.word("\($0.key)=\($0.path)")) \\" }
    head.append("    --dry-run=client -o yaml | kubectl apply -f -")
    head.append("What must exist beside them:")
    if job.tasks > 1 {
      head.append("  the claim '\(job.name)-results', which all nodes can write (ReadWriteMany)")
    } else {
      head.append("  the claim '\(job.name)-results'")
    }
    let hidden = job.hidden + job.secretFiles.map(\.name)
    if !hidden.isEmpty {
      head.append("  the secret '\(job.name)-secrets' with \(hidden.joined(separator: ", "))")
    }
    if !job.variables.isEmpty {
      head.append("  the config map '\(job.name)-variables' with \(job.variables.joined(separator: ", "))")
    }
    if job.schedule != nil {
      head.append("Start it now: kubectl create job \(job.name)-now --from=cronjob/\(job.name)")
    }
    return head
  }

  // MARK: - The job

  private static func labels(_ job: ExportedJob) -> (String, YAMLTree) {
    ("labels", .map([("app.kubernetes.io/name", .text("reactor")), ("app.kubernetes.io/instance", .text(job.name))]))
  }

  private static func metadata(_ job: ExportedJob) -> YAMLTree { .map([("name", .text(job.name)), labels(job)]) }

  private static func spec(of job: ExportedJob, _ files: [MountedFile]) -> YAMLTree {
    .map([
      ("completionMode", .text("Indexed")), ("completions", .number(job.tasks)), ("parallelism", .number(job.tasks)),
      ("backoffLimitPerIndex", .number(2)),
      ("podFailurePolicy", .map([("rules", .list(rules))])),
      ("template", .map([("metadata", .map([labels(job)])), ("spec", pod(job, files))])),
    ])
  }

  /// What follows from the end of a process. Other exit codes are tried again: the network, a disk, a signal.
  private static var rules: [YAMLTree] {
    func codes(_ codes: [ExitCode], _ action: String) -> YAMLTree {
      .map([
        ("action", .text(action)),
        (
          "onExitCodes",
          .map([
            ("operator", .text("In")),
            ("values", .list(codes.map { .number(Int($0.rawValue)) }, isFlow: true)),
          ])
        ),
      ])
    }
    return [
      // The node goes away, and that is not the job's failure.
      .map([
        ("action", .text("Ignore")),
        ("onPodConditions", .list([.map([("type", .text("DisruptionTarget")), ("status", .text("True"))])])),
      ]),
      // All processes have the same command line and the same files.
      codes([.usage, .configuration, .nothingSelected], "FailJob"),
      // The same response would come again.
      codes([.failed, .policy], "FailIndex"),
    ]
  }

  private static func pod(_ job: ExportedJob, _ files: [MountedFile]) -> YAMLTree {
    .entries([
      ("restartPolicy", .text("Never")),
      // Of a pod, because a job goes on with another pod after a failure.
      ("activeDeadlineSeconds", job.seconds.map { .number($0) }),
      ("automountServiceAccountToken", .flag(false)),
      (
        "securityContext",
        .map([
          ("runAsNonRoot", .flag(true)), ("runAsUser", .number(65_532)), ("runAsGroup", .number(65_532)),
          ("fsGroup", .number(65_532)), ("seccompProfile", .map([("type", .text("RuntimeDefault"))])),
        ])
      ),
      ("containers", .list([container(job)])),
      (
        "volumes",
        .list(
          [
            .map([
              ("name", .text("flows")),
              (
                "configMap",
                .map([
                  ("name", .text("\(job.name)-flows")),
                  ("items", .list(files.map { .map([("key", .text($0.key)), ("path", .text($0.path))]) })),
                ])
              ),
            ]),
            .map([
              ("name", .text("results")),
              ("persistentVolumeClaim", .map([("claimName", .text("\(job.name)-results"))])),
            ]),
            .map([("name", .text("tmp")), ("emptyDir", .map([]))]),
          ] + (job.secretFiles.isEmpty ? [] : [secrets(of: job)]))
      ),
    ])
  }

  /// The volume of the secrets that are files.
  private static func secrets(of job: ExportedJob) -> YAMLTree {
    .map([
      ("name", .text("secrets")),
      (
        "secret",
        .map([
          ("secretName", .text("\(job.name)-secrets")),
          ("items", .list(job.secretFiles.map { .map([("key", .text($0.name)), ("path", .text($0.name))]) })),
          // With the group of the pod, which is the user's: nobody else may read them.
          ("defaultMode", .number(0o440)),
        ])
      ),
    ])
  }

  private static func container(_ job: ExportedJob) -> YAMLTree {
    let root = job.root ?? "/results"
    let command = ["reactor"] + job.arguments(part: "auto").map(literal)
    // Kubernetes fills in the variable.
    let words =
      command + (job.root == nil ? ["--root", root] : [])
      + ["--report", "json=\(literal(root))/\(job.name)-$(JOB_COMPLETION_INDEX).json"]
    let start: [(String, YAMLTree?)] =
      if job.jitter == 0 {
        [("command", .texts(words))]
      } else {
        // The words are arguments of the shell, which does not read them as its language.
        [
          ("command", .texts(["/bin/sh", "-c", literal("\(ShellText.jitter(job.jitter)); exec \"$@\""), "reactor"])),
          ("args", .texts(words)),
        ]
      }
    func mount(_ name: String, _ path: String, isReadOnly: Bool = false, key: String? = nil) -> YAMLTree {
      .entries([
        ("name", .text(name)), ("mountPath", .text(path)), ("subPath", key.map { .text($0) }),
        ("readOnly", isReadOnly ? .flag(true) : nil),
      ])
    }
    return .entries(
      [("name", .text("reactor")), ("image", .text(job.image))] + start + [
        ("workingDir", .text(folder)), ("env", .list(environment(job))),
        (
          "resources",
          .map([
            ("requests", .map([("cpu", .text("250m")), ("memory", .text("256Mi"))])),
            ("limits", .map([("memory", .text("1Gi"))])),
          ])
        ),
        (
          "securityContext",
          .map([
            ("allowPrivilegeEscalation", .flag(false)), ("readOnlyRootFilesystem", .flag(true)),
            ("capabilities", .map([("drop", .list([.text("ALL")], isFlow: true))])),
          ])
        ),
        (
          "volumeMounts",
          .list(
            [mount("flows", folder, isReadOnly: true), mount("results", root), mount("tmp", "/tmp")]
              + job.secretFiles.map { mount("secrets", $0.path, isReadOnly: true, key: $0.name) })
        ),
      ])
  }

  private static func environment(_ job: ExportedJob) -> [YAMLTree] {
    // Kubernetes itself gives a process its index only.
    let own: [YAMLTree] = [
      .map([("name", .text("JOB_COMPLETIONS")), ("value", .text("\(job.tasks)"))]),
      .map([
        ("name", .text("JOB_UID")),
        (
          "valueFrom",
          .map([
            (
              "fieldRef", .map([("fieldPath", .text("metadata.labels['batch.kubernetes.io/controller-uid']"))])
            )
          ])
        ),
      ]),
    ]
    func variable(_ name: String, _ kind: String, _ object: String) -> YAMLTree {
      .map([
        ("name", .text(name)),
        ("valueFrom", .map([(kind, .map([("name", .text("\(job.name)-\(object)")), ("key", .text(name))]))])),
      ])
    }
    return own + job.hidden.map { variable($0, "secretKeyRef", "secrets") }
      + job.variables.map { variable($0, "configMapKeyRef", "variables") }
  }

  /// A text in which Kubernetes fills in nothing.
  private static func literal(_ text: String) -> String { text.replacing("$", with: "$$") }
}
