internal import FlowModel

/// What an engine runs: the selected flows, and what their processes need. It has names of secrets, and no value.
struct ExportedJob {
  /// A flow that the job runs.
  struct Flow {
    let id: String
    /// The ids of the parents that the job runs, too.
    let parents: [String]
    let tags: [String]
    /// The maximum time of the flow, in seconds; nil if it has no `deadline`.
    let seconds: Int?
    /// Whether a persisted result of the flow is used for some time, instead of a request.
    let isReused: Bool
  }

  /// How the flows are divided among the processes of the job.
  enum Division: Hashable {
    /// Into this number of parts.
    case parts(Int)
    /// Every process runs all flows, and takes those that no other one has taken.
    case shared(Int)
    /// A process for each flow.
    case flows
  }

  /// A lower-case name of letters, digits and hyphens, for the objects of the engine.
  let name: String
  /// The command line that prints the text.
  let commandLine: [String]
  /// The paths of the flow files.
  let paths: [String]
  /// The expressions that select the flows; empty if all flows are selected.
  let selects: [String]
  /// The values of variables, as `NAME=VALUE`.
  let values: [String]
  let division: Division
  let image: String
  /// The working folder of the processes; nil for the one that the engine chooses.
  let folder: String?
  /// The name of the user who runs the process on its own machine; nil for the one that the engine chooses.
  let user: String?
  /// The folder of the results; nil for the one that the engine chooses, or the working folder.
  let root: String?
  /// The selected flows and their ancestors, in the order of a run.
  let flows: [Flow]
  /// The paths of the files that are read when flows are loaded.
  let files: [String]
  /// The names of the secrets that the engine gives to the processes.
  let secrets: [String]
  /// The secrets that the processes read by themselves, with their sources.
  let sources: [(name: String, source: SecretSource)]
  /// The names of the variables without a value, which the engine must give.
  let variables: [String]
  let schedule: Located<Schedule>?

  /// The number of processes with the same command.
  var tasks: Int {
    switch division {
    case .parts(let count), .shared(let count): count
    case .flows: flows.count
    }
  }

  /// Whether the processes share their state, and none has a part of its own.
  var isShared: Bool { if case .shared = division { true } else { false } }

  /// The names of the environment variables that nobody may read: secrets, and the URL of the shared state.
  var hidden: [String] { secrets + (isShared ? ["REACTOR_STATE"] : []) }

  /// The names of all environment variables that have to be set.
  var environment: [String] { hidden + variables }

  /// The longest wait before a start, in seconds; 0 for none.
  var jitter: Int { schedule?.value.jitter ?? 0 }

  /// The longest time of the job in seconds, if each flow has a deadline: even one that runs all flows in turn.
  var seconds: Int? { seconds(of: flows) }

  /// The longest time in which a process runs flows in turn; nil if one of them has no deadline.
  ///
  /// A flow may take five minutes more than its deadline, to save.
  func seconds(of flows: [Flow]) -> Int? {
    var sum = jitter
    for flow in flows {
      guard let seconds = flow.seconds else { return nil }
      sum += seconds + 300
    }
    return sum
  }

  /// The secrets that are files with absolute paths, which an engine can put there.
  var secretFiles: [(name: String, path: String)] {
    sources.compactMap { name, source in
      if case .file(let path) = source, path.hasPrefix("/") { (name, path) } else { nil }
    }
  }

  /// The arguments with which `reactor` runs the flows, without the part of a process.
  var arguments: [String] { arguments(selecting: selects) }

  /// The arguments with which `reactor` runs certain flows.
  func arguments(selecting selects: [String]) -> [String] {
    ["run"] + paths + selects.flatMap { ["-s", $0] } + values.flatMap { ["--var", $0] }
      + (root.map { ["--root", $0] } ?? [])
  }

  /// The arguments of a process that has a part.
  ///
  /// - Parameter part: the part, as the engine gives it
  func arguments(part: String) -> [String] {
    // A part may have no flow, and that is no error.
    isShared ? arguments : arguments + ["--shard", part, "--fail-on", "!no-flows"]
  }

  /// The first lines of a text: how it was made, and what has to be set. Without the signs of a comment.
  var head: [String] {
    var lines = [
      "Printed by: \(ShellText.commandInComment(commandLine))",
      "Print it again after a change of the flows or of this command, instead of changing it here.",
    ]
    if !secrets.isEmpty { lines.append("Secrets, by name: \(secrets.joined(separator: ", "))") }
    for (name, source) in sources { lines.append("Secret \(name): \(ShellText.inComment(source.words))") }
    if !variables.isEmpty { lines.append("Variables that must be set: \(variables.joined(separator: ", "))") }
    if isShared {
      lines.append("REACTOR_STATE is the URL of the state that the processes share; treat it as a secret.")
    }
    return lines
  }
}
