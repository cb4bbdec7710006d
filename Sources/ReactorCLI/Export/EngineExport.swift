internal import FlowModel
internal import SourceDiagnostics

/// Writes the file with which an engine runs a job.
protocol EngineExport {
  /// The text of the file. Equal jobs have equal texts.
  ///
  /// - Throws: when the engine cannot run the job as it is declared
  static func text(of job: ExportedJob) throws(ExportError) -> String
}

/// Writes several files for an engine, which belong in one folder.
protocol EngineFolder: EngineExport {
  /// The files by name. Equal jobs have equal files.
  ///
  /// - Throws: when the engine cannot run the job as it is declared
  static func files(of job: ExportedJob) throws(ExportError) -> [ExportedFile]
}

/// A file of an engine that reads several ones.
struct ExportedFile {
  let name: String
  let text: String
}

/// The error of a job that an engine cannot run.
struct ExportError: Error {
  let message: String
  let help: String
  /// The location in a flow file; nil if an option is wrong.
  let range: SourceRange?

  init(_ message: String, help: String, at range: SourceRange? = nil) {
    self.message = message
    self.help = help
    self.range = range
  }
}

/// The engines to which flows can be exported.
enum ExportEngine: String, CaseIterable {
  case slurm
  case kubernetes
  case airflow
  case github
  case gitlab
  case systemd
  case cron

  var export: any EngineExport.Type {
    switch self {
    case .slurm: SlurmScript.self
    case .kubernetes: KubernetesManifest.self
    case .airflow: AirflowDAG.self
    case .github: GitHubWorkflow.self
    case .gitlab: GitLabPipeline.self
    case .systemd: SystemdUnits.self
    case .cron: CronLine.self
    }
  }

  /// Whether the engine starts one process on its own machine, in folders that the text names.
  var isOfOneMachine: Bool { self == .systemd || self == .cron }
}

extension ExportedJob {
  /// Lines of a comment that begins with `#` in each line.
  static func comment(_ lines: [String]) -> String { lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined() }

  /// The starts as fields of cron; nil without a schedule.
  ///
  /// - Throws: when fields of cron cannot express them
  func cron(for engine: String) throws(ExportError) -> String? {
    guard let schedule else { return nil }
    guard let times = schedule.value.times else {
      throw unfit(
        "'\(schedule.value.text)' cannot be written as cron, which \(engine) needs",
        help: "write minutes that divide an hour, hours that divide a day, 1d or 7d, or use 'cron'")
    }
    return times.text
  }

  /// The error of a schedule that an engine cannot express, with its location.
  func unfit(_ message: String, help: String) -> ExportError { ExportError(message, help: help, at: schedule?.range) }

  /// Throws when the job has more processes than the engine allows.
  func check(mostTasks: Int, _ engine: String) throws(ExportError) {
    guard tasks > mostTasks else { return }
    throw ExportError("\(engine) allows at most \(mostTasks) tasks, not \(tasks)", help: "write a smaller --tasks")
  }

  /// The command of a process as lines of a shell, with the wait of the schedule before it.
  ///
  /// - Parameter words: the command, whose words are quoted already
  func script(_ words: String) -> String { jitter == 0 ? words : "\(ShellText.jitter(jitter))\n\(words)\n" }
}
