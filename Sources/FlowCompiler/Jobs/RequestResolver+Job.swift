internal import FlowRuntime
internal import FlowSpec

extension RequestResolver {
  /// Returns the plan of the flow's job; nil without one, or after an error was reported.
  mutating func job(_ declaration: FlowDeclaration) -> JobPlan? {
    guard let declared = declaration.pull.job else { return nil }
    let poll = request(declared.poll, of: declaration.id)
    let download = request(declared.download, of: declaration.id)
    let locate = declared.locate.flatMap { request($0, of: declaration.id) }
    let delete = declared.delete.flatMap { request($0, of: declaration.id) }
    let abort = declared.abort.flatMap { request($0, of: declaration.id) }
    guard let poll, let download, (locate == nil) == (declared.locate == nil),
      (delete == nil) == (declared.delete == nil), (abort == nil) == (declared.abort == nil)
    else { return nil }
    var job = JobPlan(
      id: declared.id.value, poll: poll, done: declared.done.value, download: download,
      identity: IdentityText.jobIdentity(declared, of: declaration.id, in: scope))
    job.values = declared.values.map { ($0.name, $0.value.value) }
    job.statusURL = declared.statusURL?.value
    job.failed = declared.failed?.value
    job.empty = declared.empty?.value
    job.running = declared.running?.value
    job.urls = declared.urls?.value
    (job.locate, job.delete, job.abort) = (locate, delete, abort)
    job.every = .seconds(declared.every)
    job.longestWait = .seconds(declared.maxEvery)
    job.deadline = .seconds(declared.deadline)
    job.atOnce = declared.atOnce
    job.resumes = declared.resumes
    job.retry = declared.retry.map { JobPlan.Retry(max: $0.max, wait: .seconds($0.wait)) }
    return job
  }
}
