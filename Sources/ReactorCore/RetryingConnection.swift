internal import WebSyntax

/// A connection that is patient: it keeps to the pace of its host, and sends again what may pass the next time.
///
/// A request is sent again only before its answer has begun: once the first byte of a body was given out, what goes wrong
/// is the caller's. The answer to the last try is given out as it is, whatever its status.
public struct RetryingConnection: Connection {
  private let connection: any Connection
  private let policy: RetryPolicy
  private let pace: RatePace
  private let budget: RateBudget?
  private let deadline: Duration?
  private let patience: Patience
  private let instruments: FlowInstruments

  /// Puts patience on a connection.
  ///
  /// - Parameters:
  ///   - connection: the way to the server
  ///   - policy: what is sent again
  ///   - pace: how fast the flow may ask
  ///   - budget: of the host, shared by its flows; nil holds nothing back
  ///   - deadline: a reading of the instruments' stopwatch; a wait that would pass it fails at once
  ///   - patience: how waits are made
  ///   - instruments: the clocks, and who is told of retries and waits
  public init(
    _ connection: any Connection, policy: RetryPolicy = RetryPolicy(), pace: RatePace = RatePace(),
    budget: RateBudget? = nil, deadline: Duration? = nil, patience: Patience = Patience(),
    instruments: FlowInstruments = FlowInstruments()
  ) {
    self.connection = connection
    self.policy = policy
    self.pace = pace
    self.budget = budget
    self.deadline = deadline
    self.patience = patience
    self.instruments = instruments
  }

  /// Sends the request, again after a wait as far as the policy allows.
  ///
  /// - Throws: the error of the last try; `.timeout` at once when a wait would pass the deadline; `.cancelled`.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    var retry = 1
    while true {
      try await budget?.enter(pace, deadline: deadline) { instruments.observer(.waiting($0)) }
      let result: Result<Response, ReactorError>
      do throws(ReactorError) {
        result = .success(try await begun(resource))
      } catch {
        result = .failure(error.unlessCancelled)
      }
      budget?.leave()
      let answer = try? result.get()
      if let answer { followLimit(answer) }
      guard retry <= policy.retries, let reason = reason(result, of: resource.method) else {
        return try result.get()
      }
      try await wait(retry, reason, answer?.headers, after: result)
      retry += 1
    }
  }

  /// The answer as soon as its body has begun, so that a connection that breaks until then is seen here.
  private func begun(_ resource: Resource) async throws(ReactorError) -> Response {
    var response = try await connection.response(for: resource)
    guard policy.retries > 0 else { return response }
    if policy.reason(status: response.status, of: resource.method) != nil { return response }
    let body = response.body
    do throws(ReactorError) {
      response.body = ResponseBody(PeekedBody(try await body.next(), then: body))
    } catch {
      body.cancel()
      throw error
    }
    return response
  }

  private func reason(_ result: Result<Response, ReactorError>, of method: Resource.Method) -> RetryReason? {
    switch result {
    case .success(let response): policy.reason(status: response.status, of: method)
    case .failure(let error): policy.reason(error, of: method)
    }
  }

  private func wait(
    _ retry: Int, _ reason: RetryReason, _ headers: Headers?, after result: Result<Response, ReactorError>
  ) async throws(ReactorError) {
    // What is asked again is not read; a stalled body must not hold the flow.
    if case .success(let response) = result { response.body.cancel() }
    let now = instruments.wallClock.sinceEpoch().seconds
    let wait = policy.wait(beforeRetry: retry, headers: headers, now: now, random: patience.random.next())
    if let deadline, instruments.stopwatch.reading() + wait > deadline {
      throw Self.tooLate(reason, result, wait)
    }
    // The host's other flows need not find out by themselves.
    if case .status(429) = reason, pace.followsHeaders { budget?.hold(for: wait) }
    instruments.observer(.retrying(attempt: retry, reason: reason, wait: wait))
    do { try await patience.pause.wait(wait) } catch { throw .cancelled }
  }

  private static func tooLate(
    _ reason: RetryReason, _ result: Result<Response, ReactorError>, _ wait: Duration
  ) -> ReactorError {
    var what = "the server answered with \(reason)"
    var status: Int?
    switch result {
    case .success(let response): status = response.status
    case .failure(let error):
      what = error.message
      status = error.status
    }
    return ReactorError(
      .timeout, "\(what); a wait of \(wait.inSeconds) before the next try would pass the flow's deadline",
      status: status)
  }

  /// A budget that is used up, and an answer that says so, hold the host's next requests back.
  private func followLimit(_ answer: Response) {
    guard let budget, pace.followsHeaders else { return }
    let now = instruments.wallClock.sinceEpoch().seconds
    var wait: Duration?
    if answer.status == 429 { wait = RetryAfter.wait(answer.headers.values("Retry-After"), now: now) }
    if wait == nil, let limit = RateLimitHeaders(now: now, fields: answer.headers.values), limit.isExhausted {
      wait = limit.reset
    }
    guard let wait, wait > .zero else { return }
    budget.hold(for: min(wait, policy.backoff.longest))
  }
}
