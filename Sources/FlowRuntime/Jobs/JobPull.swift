internal import Boxes
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import WebSyntax

/// The requests of one job: its creation, the polls, the downloads and its deletion.
///
/// If an earlier run left a job unfinished, the result of that job is read, and no new job is created. The file of a
/// job is removed before the job is deleted, so no run looks for a deleted job.
struct JobPull: Sendable {
  @Boxed private(set) var plan: Job<RequestPlan>
  @Boxed private(set) var pull: Pull
  let creation: Resource
  let requests: JobRequests
  let memory: JobMemory?

  init(_ plan: Job<RequestPlan>, _ pull: Pull, creating resource: Resource) {
    self.plan = plan
    self.pull = pull
    creation = resource
    requests = JobRequests(pull)
    memory = JobMemory(plan.terms, of: pull.flow, creating: resource)
  }

  var terms: JobTerms { plan.terms }

  /// The outcome of one job: its result, or the need for another job.
  enum Step {
    /// Its result was read.
    case read(Pull.Outcome)
    /// It failed, and another job follows.
    case failed(ServerJob)
  }

  /// Reads the result of a job. If the job fails, tries again with another job, as `retry` allows.
  func run(into sink: any RecordSink) async throws(ReactorError) -> Pull.Outcome {
    var last = try await memory?.job()
    if let job = last, job.failed != nil, !mayFollow(job) { last = nil }
    while true {
      if let job = last, let failed = job.failed, let retry = terms.retry {
        try await pauseBeforeNext(job, failed + retry.wait - now)
      }
      switch try await step(after: last, into: sink) {
      case .read(let outcome): return outcome
      case .failed(let job): last = job
      }
    }
  }

  /// Waits until `at_once` allows another job at the host, then waits for the job to end and reads its result.
  ///
  /// - Parameter last: the previous job if it failed, else a job that an earlier run left unfinished
  private func step(after last: ServerJob?, into sink: any RecordSink) async throws(ReactorError) -> Step {
    let budget = pull.flow.environment.jobBudget(of: pull.plan.id, for: pull.plan.request.baseURL.origin)
    let pace = RatePace(concurrency: terms.atOnce, followsHeaders: false)
    try await budget.enter(pace)
    defer { budget.leave(pace) }
    var failedBefore = last.map { $0.failedBefore + ($0.failed == nil ? 0 : 1) } ?? 0
    if let last, last.failed == nil {
      if now < last.created + terms.deadline {
        if let step = try await finish(last, isFound: true, into: sink) { return step }
      } else {
        await giveUp(last)
        failedBefore = 0
      }
    }
    let response = try await requests.send(
      creation(after: failedBefore), of: pull.plan.request, by: pull.network, "the request for a job")
    if response.isRuled {
      if failedBefore > 0 { await memory?.forget() }
      return .read(Pull.Outcome(PageReading(withoutRecords: response.head)))
    }
    var job = try job(in: response)
    job.failedBefore = failedBefore
    do throws(ReactorError) {
      job.isRemembered = try await memory?.save(job) ?? false
    } catch {
      throw await interrupted(error, job)
    }
    return try await finish(job, isFound: false, into: sink) ?? .read(Pull.Outcome())
  }

  var now: Duration { pull.flow.environment.wallClock.sinceEpoch() }

  /// The job that a response to the creating request describes.
  private func job(in response: JobResponse) throws(ReactorError) -> ServerJob {
    let scope = requests.scope(response)
    let id = try value(of: terms.id.value, in: scope, key: "job.id").json
    guard id.isIdentifier else {
      throw JobTerms.error("expected a text or a number as the job's id, found \(id.kindName)", key: "job.id")
    }
    var values = JSONObject()
    for (name, expression) in terms.values {
      values[name] = try value(of: expression.value, in: scope, key: "job.values").json
    }
    var job = ServerJob(id: id, values: values, created: now)
    if let url = terms.statusURL?.value {
      guard case .string(let link) = try value(of: url, in: scope, key: "job.url").json, !link.isEmpty else {
        throw JobTerms.error("the response that creates the job contains no URL for its state", key: "job.url")
      }
      job.statusURL = try JobRequests.url(link, from: response, key: "job.url")
    }
    return job
  }

  func value(
    of expression: Expression, in scope: EvaluationScope, key: String
  ) throws(ReactorError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.evaluate(in: scope, now: scope.now)
    } catch {
      throw JobTerms.error("'\(expression.text)': \(error.message)", key: key)
    }
  }

  // MARK: - The end

  /// Waits for a job and reads its result; nil if an earlier run created the job and the server no longer knows it.
  private func finish(
    _ job: ServerJob, isFound: Bool, into sink: any RecordSink
  ) async throws(ReactorError) -> Step? {
    let state: JobState
    do throws(ReactorError) {
      state = try await settled(job, isFound: isFound)
    } catch {
      if isFound, Self.isGone(error) {
        await memory?.forget()
        return nil
      }
      throw await interrupted(error, job)
    }
    switch state {
    case .done(let response):
      let outcome: Pull.Outcome
      do throws(ReactorError) {
        outcome = try await read(job, response, into: sink)
      } catch {
        throw await interrupted(error, job, hasEnded: true)
      }
      await end(job)
      return .read(outcome)
    case .empty(let response):
      await end(job)
      return .read(Pull.Outcome(PageReading(withoutRecords: response.head)))
    case .failed(let error):
      if let failed = await failed(job) { return .failed(failed) }
      await end(job)
      throw Self.last(error, after: job.failedBefore)
    case .abandoned(let error):
      await giveUp(job)
      throw error
    }
  }

  /// Forgets a job that has ended, and deletes it.
  private func end(_ job: ServerJob) async {
    await memory?.forget()
    await delete(job)
  }

  /// Forgets a job that is perhaps still running, stops it, and deletes it.
  private func giveUp(_ job: ServerJob) async {
    await memory?.forget()
    await abort(job)
    await delete(job)
  }

  /// Completes an error that interrupts a job. If the next run can continue the job, the message says so. Otherwise the
  /// job is deleted, after it was stopped if it has not ended. A cancellation is returned unchanged.
  ///
  /// - Parameter hasEnded: whether the job has ended at the server, so that nothing is left to be stopped
  private func interrupted(_ error: ReactorError, _ job: ServerJob, hasEnded: Bool = false) async -> ReactorError {
    guard error.kind != .cancelled else { return error }
    var error = error
    if Self.isGone(error) {
      await end(job)
    } else if job.isRemembered {
      error.message += " (the next run goes on with job \(job.name))"
    } else if hasEnded {
      await delete(job)
    } else {
      await giveUp(job)
    }
    return error
  }

  /// Whether an error means that the server no longer knows a job or its result.
  private static func isGone(_ error: ReactorError) -> Bool { error.status == 404 || error.status == 410 }

  /// Deletes the job at the server. A failure is only reported.
  func delete(_ job: ServerJob) async {
    await send(plan.delete, for: job, "job \(job.name) has ended and could not be deleted")
  }

  /// Stops the job at the server. A failure is only reported.
  private func abort(_ job: ServerJob) async {
    await send(plan.abort, for: job, "job \(job.name) is given up and could not be stopped")
  }

  /// Sends a request that deletes or stops a job. A failure is only reported.
  ///
  /// - Parameter step: the text before the cause in the reported failure
  private func send(_ request: RequestPlan?, for job: ServerJob, _ step: String) async {
    guard let request else { return }
    do throws(ReactorError) {
      let resource = try requests.resource(request, in: requests.scope(nil, job))
      _ = try await requests.send(resource, of: request, by: quietNetwork, step)
    } catch {
      if error.kind != .cancelled, !Self.isGone(error) {
        pull.instruments.observer(.warned(FlowWarning(.jobLeft, error)))
      }
    }
  }

  var quietNetwork: Network { pull.network.withoutReachabilityCheck().with(pull.quiet) }
}
