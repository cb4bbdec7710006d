internal import BatchRunner
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec

extension Invocation {
  /// How many flows of a run work at the same time, and when the run stops early.
  func limits(_ jobs: JobOptions, _ stopping: StopOptions? = nil) throws(CommandError) -> RunLimits {
    var limits = RunLimits(
      jobs: try settings.count(jobs.jobs, "jobs", default: 8),
      perHost: try settings.count(jobs.perHost, "max-per-host", default: 4))
    guard let stopping else { return limits }
    limits.totalTimeout = try settings.seconds(stopping.totalTimeout, "total-timeout").map { .seconds($0) }
    limits.maxFailures = try maxFailures(stopping)
    return limits
  }

  /// The time for which running flows may continue after the first signal.
  func grace(_ options: StopOptions) throws(CommandError) -> Duration {
    .seconds(try settings.seconds(options.grace, "grace", from: 0) ?? 20)
  }

  /// What a flow does when another run of the same flow is in progress.
  func otherRuns(_ flag: String?) throws(CommandError) -> OtherRunPolicy {
    try settings.choice(flag, "if-running", default: .fail)
  }

  private func maxFailures(_ options: StopOptions) throws(CommandError) -> Int? {
    guard settings.value(options.maxFail, "max-fail") != nil else { return nil }
    return try settings.count(options.maxFail, "max-fail", default: 1)
  }
}
