internal import FlowModel
internal import ReactorCore
internal import WebSyntax

extension JobPull {
  /// Polls a job until it has ended, or until its deadline.
  ///
  /// - Parameter isFound: whether an earlier run created the job; it is then polled at once
  func settled(_ job: ServerJob, isFound: Bool) async throws(ReactorError) -> JobState {
    let resource = try requests.resource(plan.poll, in: requests.scope(nil, job), at: job.statusURL)
    var network = isFound ? pull.network : quietNetwork
    var (wait, doubling) = (isFound ? Duration.zero : terms.every, terms.every)
    var doubt: String?
    while true {
      let rest = job.created + terms.deadline - now
      guard rest > .zero else { return .abandoned(terms.late(job, doubt)) }
      try await pause(min(wait, rest))
      let response = try await requests.send(resource, of: plan.poll, by: network, "the poll of job \(job.name)")
      if let state = try terms.state(of: job, response, in: requests.scope(response, job), &doubt) { return state }
      network = quietNetwork
      doubling = isFound && wait == .zero ? terms.every : min(doubling * 2, terms.maxEvery)
      wait = asked(response) ?? doubling
    }
  }

  /// Waits, and reports a wait of a second or longer.
  func pause(_ wait: Duration) async throws(ReactorError) {
    guard wait > .zero else { return }
    if wait >= .seconds(1) { pull.instruments.observer(.waiting(wait)) }
    try await pull.flow.environment.patience.delay.wait(wait)
  }

  /// The wait that the server requests in `Retry-After`; nil for none, or if the flow ignores it.
  private func asked(_ response: JobResponse) -> Duration? {
    guard pull.plan.transfer.retry.honoursServer else { return nil }
    let wait = RetryAfter.wait(response.head.headers.values("Retry-After"), now: now.seconds)
    return wait.flatMap { $0 > .zero ? $0 : nil }
  }
}
