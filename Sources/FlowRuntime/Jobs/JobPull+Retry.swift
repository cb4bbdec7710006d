internal import FlowModel
internal import ReactorCore

/// Creates another job after one that failed.
///
/// The file of a job that failed remains, with the time of the failure, until the next job replaces it. So, if a run
/// ends between two jobs, the next run waits for the rest of the time, and creates no more jobs than `retry` still
/// allows.
extension JobPull {
  /// Remembers that a job has failed, and deletes it at the server. Returns the failed job if another job is to be
  /// created, else nil; then nothing is remembered or deleted.
  func failed(_ job: ServerJob) async -> ServerJob? {
    guard let retry = terms.retry, job.failedBefore < retry.max else { return nil }
    var job = job
    job.failed = now
    await replace(job)
    await delete(job)
    pull.instruments.observer(.retrying(attempt: job.failedBefore + 1, reason: .job, wait: retry.wait))
    return job
  }

  /// Whether another job follows a failed job that an earlier run left.
  func mayFollow(_ job: ServerJob) -> Bool {
    job.failedBefore < terms.retry?.max ?? 0 && now < job.created + terms.deadline
  }

  /// Waits until the next job is due. Throws at once if that time is after the flow's deadline for requests.
  func pauseBeforeNext(_ job: ServerJob, _ wait: Duration) async throws(ReactorError) {
    if let deadline = pull.deadline, pull.instruments.stopwatch.reading() + wait > deadline {
      throw ReactorError(
        .timeout,
        "job \(job.name) has failed at the server, and the flow's deadline is before the time of the next job")
    }
    try await pause(wait)
  }

  /// The request for a job.
  ///
  /// After a failed job, it has another idempotency key: with the same key, the server would respond with the failed
  /// job.
  func creation(after failed: Int) -> Resource {
    guard failed > 0, let header = pull.plan.request.idempotencyHeader, let key = creation.headers[header] else {
      return creation
    }
    var resource = creation
    resource.headers[header] = "\(key)-\(failed + 1)"
    return resource
  }

  /// The error of a failed job that is not followed by another job.
  static func last(_ error: ReactorError, after failed: Int) -> ReactorError {
    guard failed > 0 else { return error }
    var error = error
    error.message += " (\(failed) \(failed == 1 ? "job" : "jobs") before it failed too)"
    return error
  }

  /// Stores the present state of a job in its file. If that fails, removes the file, so that the next run does not know
  /// the job and starts with a new first job.
  private func replace(_ job: ServerJob) async {
    guard job.isRemembered else { return }
    do throws(ReactorError) {
      _ = try await memory?.save(job)
    } catch {
      await memory?.forget()
    }
  }
}
