import ReactorCLI
import RunViews
import Testing

/// What `--shard auto` reads from the variables of engines.
@Suite struct EngineTaskTests {
  static let tasks: [(variables: [String: String], engine: String, shard: String, run: String?)] = [
    (slurm(4, min: 0, step: 1, count: 8), "Slurm", "5/8", "77"),
    (slurm(1, min: 1, step: 1, count: 1), "Slurm", "1/1", "77"),
    (slurm(20, min: 10, step: 5, count: 3), "Slurm", "3/3", "77"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "3", "JOB_UID": "a-b"], "Kubernetes", "1/3", "a-b"),
    (["JOB_COMPLETION_INDEX": "2", "JOB_COMPLETIONS": "3"], "Kubernetes", "3/3", nil),
    (
      ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2", "CI_PIPELINE_ID": "9", "CI_JOB_GROUP_NAME": "pull"], "GitLab",
      "2/2", "9/pull"
    ),
    // GitLab gives a job that is not divided a total only.
    (["CI_NODE_TOTAL": "1", "CI_PIPELINE_ID": "9"], "GitLab", "1/1", nil),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4", "CIRCLE_WORKFLOW_ID": "w"], "CircleCI", "1/4", "w"),
    (
      ["BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4", "BUILDKITE_BUILD_ID": "b"], "Buildkite",
      "4/4", "b"
    ),
    (["BITBUCKET_PARALLEL_STEP": "1", "BITBUCKET_PARALLEL_STEP_COUNT": "2"], "Bitbucket", "2/2", nil),
    (
      ["SYSTEM_JOBPOSITIONINPHASE": "1", "SYSTEM_TOTALJOBSINPHASE": "2", "BUILD_BUILDID": "5"], "Azure Pipelines",
      "1/2", "5"
    ),
    (
      ["CLOUD_RUN_TASK_INDEX": "6", "CLOUD_RUN_TASK_COUNT": "7", "CLOUD_RUN_EXECUTION": "x"], "Cloud Run", "7/7", "x"
    ),
  ]

  @Test(
    arguments: [
      (slurm(4, min: 0, step: 1, count: 8), "slurm-77"), (["JOB_UID": "a-b"], "kubernetes-a-b"),
      (["CI_PIPELINE_ID": "9", "CI_JOB_GROUP_NAME": "pull"], "gitlab-9-pull"), (["CI_PIPELINE_ID": "9"], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func `all processes of a job have the same name of a run`(_ variables: [String: String], _ name: String?) {
    #expect(EngineTask.run(in: variables) == name)
  }

  private static func slurm(_ index: Int, min: Int, step: Int, count: Int) -> [String: String] {
    [
      "SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_MIN": "\(min)", "SLURM_ARRAY_TASK_STEP": "\(step)",
      "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_JOB_ID": "77",
    ]
  }

  @Test(arguments: tasks.indices) func `an engine gives the part and the run`(_ index: Int) throws {
    let (variables, engine, shard, run) = Self.tasks[index]
    let task = try EngineTask.find(in: variables.merging(["PATH": "/bin"]) { $1 })
    #expect(task.engine == engine && task.shard.text == shard && task.run == run, "\(task)")
  }

  static let faults: [(variables: [String: String], message: String)] = [
    ([:], "--shard auto finds no engine that says which part this process is"),
    (["CI_NODE_TOTAL": "3"], "finds no engine"),
    (["CI_NODE_INDEX": ""], "finds no engine"),
    (
      slurm(1, min: 1, step: 1, count: 2).merging(["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"]) { $1 },
      "finds two engines: SLURM_ARRAY_TASK_ID of Slurm and CI_NODE_INDEX of GitLab"
    ),
    (["JOB_COMPLETION_INDEX": "0"], "JOB_COMPLETION_INDEX of Kubernetes is set, but JOB_COMPLETIONS is not"),
    (["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "2"], "CI_NODE_INDEX is 'two', which is not a number"),
    (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"], "CI_NODE_INDEX is 0, which is not one of 2 parts from 1"),
    (["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "2"], "CI_NODE_INDEX is 3, which is not one of 2 parts from 1"),
    // --array=1,5,9
    (slurm(9, min: 1, step: 1, count: 3), "SLURM_ARRAY_TASK_ID is 9, which is not one of 3 parts from 1"),
    (slurm(12, min: 10, step: 5, count: 3), "is 12, which is not one of 3 parts from 10 in steps of 5"),
    (slurm(12, min: 10, step: 0, count: 3), "which is not one of 3 parts"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "-1"], "JOB_COMPLETIONS is '-1', which is not a number"),
    (["JOB_COMPLETION_INDEX": "\(Int.max)", "JOB_COMPLETIONS": "2"], "which is not a number from 0 to 1000000000"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "99999"], "is not one of 99999 parts"),
  ]

  @Test(arguments: faults.indices) func `anything else is an error that names the variable`(_ index: Int) {
    let (variables, message) = Self.faults[index]
    let error = #expect(throws: CommandError.self) { try EngineTask.find(in: variables) }
    #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
    #expect(error?.help?.isEmpty == false || message.contains("not a number"))
  }
}
