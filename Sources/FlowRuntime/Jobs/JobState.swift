internal import Expressions
internal import FlowModel
internal import ReactorCore

/// How a job has ended.
enum JobState: Sendable {
  /// It has a result. The response to the last poll, which may contain the URLs of the result, is attached.
  case done(JobResponse)
  /// It has no result.
  case empty(JobResponse)
  /// The server says that the job will never have a result.
  case failed(ReactorError)
  /// No run waits for it any more: it is late, or in an unknown state.
  case abandoned(ReactorError)
}

extension JobTerms {
  /// Finds the state of a job from the response to a poll; nil for a job that runs.
  ///
  /// - Parameters:
  ///   - scope: the names of the response and of the job
  ///   - doubt: receives why a condition has no value, for the error of a job that never ends
  func state(
    of job: ServerJob, _ response: JobResponse, in scope: EvaluationScope, _ doubt: inout String?
  ) throws(ReactorError) -> JobState? {
    doubt = nil
    if response.isRuled { return .empty(response) }
    do throws(ReactorError) {
      let state = try judged(job, response, scope, &doubt)
      // If the conditions have no value because the response is an HTML page, the error is about the page.
      if state == nil, doubt != nil, let error = response.pageError { throw error }
      return state
    } catch {
      throw response.pageError ?? error
    }
  }

  private func judged(
    _ job: ServerJob, _ response: JobResponse, _ scope: EvaluationScope, _ doubt: inout String?
  ) throws(ReactorError) -> JobState? {
    if let failed, try Self.isTrue(failed.value, "failed", scope, &doubt) {
      return .failed(Self.error("job \(job.name) has failed at the server: \(response.excerpt)", key: "job.failed"))
    }
    if let empty, try Self.isTrue(empty.value, "empty", scope, &doubt) { return .empty(response) }
    if try Self.isTrue(done.value, "done", scope, &doubt) { return .done(response) }
    guard let running, try !Self.isTrue(running.value, "running", scope, &doubt) else { return nil }
    var error = Self.error(
      "job \(job.name) is in a state for which no condition is true: \(response.excerpt)", key: "job.running")
    error.help = "add the state to 'running', 'done', 'empty' or 'failed'"
    return .abandoned(error)
  }

  /// The error of a job that has not ended in time.
  func late(_ job: ServerJob, _ doubt: String?) -> ReactorError {
    var error = ReactorError(
      .timeout,
      "job \(job.name) has not ended within \(FlowPlan.text(deadline)) after its creation"
        + (doubt.map { "; \($0)" } ?? ""))
    error.key = "job.deadline"
    error.help = "write a longer 'deadline' in 'job', or compare 'done' with the response to a poll"
    return error
  }

  static func error(_ message: String, key: String) -> ReactorError {
    var error = ReactorError.server(message)
    error.key = key
    return error
  }

  /// Whether a condition is true. It is not true if a member that it uses is missing in the response.
  private static func isTrue(
    _ condition: Expression, _ key: String, _ scope: EvaluationScope, _ doubt: inout String?
  ) throws(ReactorError) -> Bool {
    do throws(EvaluationError) {
      return try condition.evaluate(in: scope, now: scope.now) == .bool(true)
    } catch {
      guard error.kind != .missing else {
        doubt = "in the last response, '\(condition.text)' has no value: \(error.message)"
        return false
      }
      var failure = ReactorError.parser("'\(condition.text)' cannot be evaluated: \(error.message)")
      failure.key = "job.\(key)"
      throw failure
    }
  }
}
