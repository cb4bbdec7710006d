package import RunViews

/// The part of a job that an engine (a batch system, a CI service) gave to this process, as its variables say.
package struct EngineTask: Sendable, Hashable {
  /// The name of the engine, for messages.
  package let engine: String
  /// The part of the job.
  package let shard: RunReport.Shard
  /// The id that all parts of one run have, also when one of them is started again; nil if no variable has it.
  package let run: String?
}

extension EngineTask {
  /// The id of the run to which this process belongs, by the variables of its engine; nil without an engine.
  ///
  /// All processes of one run have the same id, also when one of them is started again.
  package static func run(in environment: [String: String]) -> String? {
    for engine in Engine.all {
      let values = engine.run.map { environment[$0] ?? "" }
      if !values.isEmpty, values.allSatisfy({ !$0.isEmpty }) {
        return "\(engine.name.lowercased())-\(values.joined(separator: "-"))"
      }
    }
    return nil
  }

  /// Finds the engine that started this process.
  ///
  /// - Throws: when no engine or more than one says which part this is, or when its variables contradict each other
  package static func find(in environment: [String: String]) throws(CommandError) -> EngineTask {
    let found = Engine.all.filter { environment[$0.index]?.isEmpty == false }
    if let second = found.dropFirst().first {
      throw CommandError(
        "--shard auto finds two engines: \(found[0].index) of \(found[0].name) and \(second.index) of \(second.name)",
        help: "write --shard I/N with the variables of the right one")
    }
    if let engine = found.first { return try engine.task(in: environment) }
    // A job that is not divided has a count, and no index.
    if let engine = Engine.all.first(where: { environment[$0.count] == "1" }) {
      return EngineTask(engine: engine.name, shard: RunReport.Shard(1, of: 1), run: nil)
    }
    throw CommandError(
      "--shard auto finds no engine that says which part this process is",
      help: "it knows \(Engine.all.map { "\($0.name) (\($0.index))" }.joined(separator: ", ")); elsewhere write "
        + "--shard I/N")
  }
}

/// The variables with which an engine says which part of a job a process is.
private struct Engine {
  /// The index of the first part.
  enum First {
    case number(Int)
    /// The array has its own first index and step.
    case variables(first: String, step: String)
  }

  let name: String
  let index: String
  let first: First
  let count: String
  /// The variables that together identify the run; all its parts have the same values.
  let run: [String]

  static let all = [
    Engine(
      name: "Slurm", index: "SLURM_ARRAY_TASK_ID",
      first: .variables(first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP"), count: "SLURM_ARRAY_TASK_COUNT",
      run: ["SLURM_ARRAY_JOB_ID"]),
    // Kubernetes gives the index only; the manifest gives the two other variables.
    Engine(
      name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: .number(0), count: "JOB_COMPLETIONS", run: ["JOB_UID"]),
    Engine(
      name: "GitLab", index: "CI_NODE_INDEX", first: .number(1), count: "CI_NODE_TOTAL",
      run: ["CI_PIPELINE_ID", "CI_JOB_GROUP_NAME"]),
    Engine(
      name: "CircleCI", index: "CIRCLE_NODE_INDEX", first: .number(0), count: "CIRCLE_NODE_TOTAL",
      run: ["CIRCLE_WORKFLOW_ID", "CIRCLE_JOB"]),
    Engine(
      name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", first: .number(0), count: "BUILDKITE_PARALLEL_JOB_COUNT",
      run: ["BUILDKITE_BUILD_ID", "BUILDKITE_STEP_ID"]),
    Engine(
      name: "Bitbucket", index: "BITBUCKET_PARALLEL_STEP", first: .number(0), count: "BITBUCKET_PARALLEL_STEP_COUNT",
      run: ["BITBUCKET_PIPELINE_UUID"]),
    Engine(
      name: "Azure Pipelines", index: "SYSTEM_JOBPOSITIONINPHASE", first: .number(1), count: "SYSTEM_TOTALJOBSINPHASE",
      run: ["BUILD_BUILDID", "SYSTEM_PHASENAME"]),
    Engine(
      name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", first: .number(0), count: "CLOUD_RUN_TASK_COUNT",
      run: ["CLOUD_RUN_EXECUTION"]),
  ]

  func task(in environment: [String: String]) throws(CommandError) -> EngineTask {
    let index = try number(self.index, environment)
    let count = try number(self.count, environment)
    let (first, step) =
      switch self.first {
      case .number(let first): (first, 1)
      case .variables(let first, let step): (try number(first, environment), try number(step, environment))
      }
    guard step > 0, (index - first) % step == 0,
      let shard = RunReport.Shard("\((index - first) / step + 1)/\(count)")
    else {
      throw CommandError(
        "--shard auto: \(self.index) is \(index), which is not one of \(count) parts from \(first)"
          + (step == 1 ? "" : " in steps of \(step)"),
        help: "let \(name) number the parts without gaps, or write --shard I/N")
    }
    let ids = run.compactMap { environment[$0] }.filter { !$0.isEmpty }
    return EngineTask(engine: name, shard: shard, run: ids.isEmpty ? nil : ids.joined(separator: "/"))
  }

  private func number(_ variable: String, _ environment: [String: String]) throws(CommandError) -> Int {
    guard let text = environment[variable], !text.isEmpty else {
      throw CommandError(
        "--shard auto: \(index) of \(name) is set, but \(variable) is not",
        help: "set \(variable) for all parts of the job, or write --shard I/N")
    }
    guard let number = Int(text), (0...1_000_000_000).contains(number) else {
      throw CommandError("--shard auto: \(variable) is '\(text)', which is not a number from 0 to 1000000000")
    }
    return number
  }
}
