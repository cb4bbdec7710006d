internal import ArgumentParser
internal import FlowCompiler
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics
internal import Storage

/// The command `reactor export`.
struct ExportCommand: ReactorCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the file with which an engine runs the flows, for review and commit.",
    discussion: """
      ENGINE is slurm, kubernetes, airflow, github, gitlab, systemd or cron. The text has the names of secrets, never their
      values. It depends on the flow files and the options only.

      Examples:
        reactor export slurm --tasks 8 > shop.slurm
        reactor export kubernetes flows -s tag:daily --image registry.example.com/reactor:1 -o shop.yaml
        reactor export airflow --by flow -o dags/shop.py
        reactor export github -o .github/workflows/shop.yml
        reactor export gitlab -o .gitlab-ci.yml
        reactor export systemd -o units
        reactor export cron -o shop.cron
      """)

  @Argument(help: "slurm, kubernetes, airflow, github, gitlab, systemd or cron.")
  var engine: String
  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "The job") var job: ExportedJobOptions
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The file to write; for systemd, the folder of the units. (default: standard output)", valueName: "path"))
  var path: String?

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard let engine = ExportEngine(rawValue: engine) else {
      let words = ExportEngine.allCases.map(\.rawValue)
      throw CommandError(
        "'\(engine)' is not an engine to which flows can be exported",
        help: NearMiss.suggestion(for: engine, in: words).map { "did you mean '\($0)'?" }
          ?? "engines are \(words.joined(separator: ", "))")
    }
    let job = try ExportReading(self, engine, invocation).job()
    let files: [ExportedFile]
    do throws(ExportError) {
      // A text for standard output is a file without a name.
      files =
        if path != nil, let folder = engine.export as? any EngineFolder.Type {
          try folder.files(of: job)
        } else {
          [ExportedFile(name: "", text: try engine.export.text(of: job))]
        }
    } catch {
      guard let range = error.range else { throw CommandError(error.message, help: error.help) }
      var diagnostics = DiagnosticBag()
      diagnostics.report(Diagnostic(FlowCode.invalidSchedule.code, error.message, at: range, help: error.help))
      invocation.console.show(diagnostics)
      throw .ended(.configuration)
    }
    for file in files {
      if let path {
        try write(file.text, to: file.name.isEmpty ? path : "\(path)/\(file.name)")
      } else {
        invocation.out.write(file.text)
      }
    }
    return .passed
  }

  private func write(_ text: String, to path: String) throws(CommandError) {
    do throws(WholeFile.AccessError) {
      try ReportFile.write(Array(text.utf8), to: path)
    } catch {
      throw CommandError("'\(path)' could not be written: \(error.message)", .notWritten)
    }
  }
}

/// The options of the job that an engine runs.
struct ExportedJobOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The number of processes. (default: one for each flow, at most 4)", valueName: "n"))
  var tasks: String?
  @Option(
    help: ArgumentHelp(
      "shard: each process runs a part of the flows; flow: one flow, after its parents (airflow). (default: shard)",
      valueName: "what"))
  var by: String?
  @Flag(help: "The processes share their state (REACTOR_STATE), and each takes flows that no other one has taken.")
  var shared = false
  @Option(help: ArgumentHelp("The name of the job. (default: the file's name, or reactor)", valueName: "name"))
  var name: String?
  @Option(help: ArgumentHelp("The image with the program. (default: reactor with this version)", valueName: "name"))
  var image: String?
  @Option(
    help: ArgumentHelp(
      "The working folder of the processes (slurm, airflow, systemd, cron).", valueName: "path"))
  var folder: String?
  @Option(help: ArgumentHelp("The user who runs the process (systemd, cron).", valueName: "name"))
  var user: String?
  @Option(help: ArgumentHelp("The folder of the results, for the processes.", valueName: "folder"))
  var root: String?
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp("A value for a variable of the files, for the processes. Repeatable.", valueName: "name=value"))
  var variables: [String] = []
}
