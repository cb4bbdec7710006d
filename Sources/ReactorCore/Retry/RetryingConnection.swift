internal import WebSyntax

/// A connection that limits its pace, applies response rules, and retries requests.
///
/// A request is sent again only before its response has begun. After the first byte of the body was delivered, errors
/// go to the caller. The last response is returned unchanged, whatever its status, unless a rule makes it an error.
public struct RetryingConnection: Connection {
  private let connection: any Connection
  let policy: RetryPolicy
  let rules: [ResponseRule]
  private let pace: RatePace
  private let budget: RateBudget?
  private let deadline: Duration?
  private let patience: Patience
  private let instruments: FlowInstruments
  private let unreadableLimit = FirstUse()

  /// Wraps a connection.
  ///
  /// - Parameters:
  ///   - connection: the connection that sends the requests
  ///   - policy: the rules for retries
  ///   - rules: the rules that are applied to responses before the policy; the first rule that applies decides
  ///   - pace: the maximum rate of the flow's requests
  ///   - budget: the budget of the host, shared by its flows; nil for no limit
  ///   - deadline: a reading of the instruments' stopwatch; a wait that would exceed it fails at once
  ///   - patience: the delay and the source of randomness for waits
  ///   - instruments: the clocks, and the observer of retries and waits
  public init(
    _ connection: any Connection, policy: RetryPolicy = RetryPolicy(), rules: [ResponseRule] = [],
    pace: RatePace = RatePace(), budget: RateBudget? = nil, deadline: Duration? = nil, patience: Patience = Patience(),
    instruments: FlowInstruments = FlowInstruments()
  ) {
    self.connection = connection
    self.policy = policy
    self.rules = rules
    self.pace = pace
    self.budget = budget
    self.deadline = deadline
    self.patience = patience
    self.instruments = instruments
  }

  /// The connection's base URL.
  public var baseURL: String { connection.baseURL }
  /// The connection's reachability check.
  public var reachability: any Reachability { connection.reachability }

  /// Sends the request, and sends it again after a wait as far as the policy allows.
  ///
  /// - Throws: the error of the last attempt; `.timeout` at once when a wait would exceed the deadline; `.cancelled`.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    var (resource, retry) = (resource, 1)
    while true {
      try await budget?.enter(
        pace, drawingOn: pace.budgets.filter { $0.requests.matches(resource, relativeTo: baseURL) }, deadline: deadline
      ) { instruments.observer(.waiting($0)) }
      let result: Result<Verdict, ReactorError>
      do throws(ReactorError) {
        let response = try await connection.response(for: resource)
        followLimit(response)
        result = .success(try await judged(response, of: resource.method))
      } catch {
        result = .failure(error.unlessCancelled)
      }
      budget?.leave(pace)
      guard retry <= policy.retries, let reason = reason(result, of: resource.method) else {
        return try final(result)
      }
      try await wait(retry, reason, after: result)
      retry += 1
      resource.resends += 1
    }
  }

  private func reason(_ result: Result<Verdict, ReactorError>, of method: Resource.Method) -> RetryReason? {
    switch result {
    case .success(let verdict): verdict.reason
    case .failure(let error): policy.reason(error, of: method)
    }
  }

  private func final(_ result: Result<Verdict, ReactorError>) throws(ReactorError) -> Response {
    let verdict = try result.get()
    guard let failure = verdict.failure else { return verdict.response }
    verdict.response.body.cancel()
    throw failure
  }

  private func wait(
    _ retry: Int, _ reason: RetryReason, after result: Result<Verdict, ReactorError>
  ) async throws(ReactorError) {
    let verdict = try? result.get()
    // The body of a response is not read when its request is sent again. A stalled body must not delay the flow.
    verdict?.response.body.cancel()
    let now = instruments.wallClock.sinceEpoch().seconds
    let asked = verdict?.wait.map { min($0, policy.backoff.longest) }
    let wait =
      asked
      ?? policy.wait(
        beforeRetry: retry, status: verdict?.response.status, headers: verdict?.response.headers, now: now,
        random: patience.random())
    if let deadline, instruments.stopwatch.reading() + wait > deadline {
      throw Self.tooLate(reason, result, wait)
    }
    // The host's other flows wait too.
    if verdict?.holdsHost ?? false, pace.followsHeaders { budget?.hold(for: wait) }
    instruments.observer(.retrying(attempt: retry, reason: reason, wait: wait))
    try await patience.delay.wait(wait)
  }

  private static func tooLate(
    _ reason: RetryReason, _ result: Result<Verdict, ReactorError>, _ wait: Duration
  ) -> ReactorError {
    var what = "the server answered with \(reason)"
    var status: Int?
    switch result {
    case .success(let verdict):
      status = verdict.response.status
      what = verdict.failure?.message ?? what
    case .failure(let error):
      what = error.message
      status = error.status
    }
    return .pastDeadline("\(what); a wait of \(wait.inSeconds) before the next try", status: status)
  }

  /// Delays the host's next requests when the response reports an exhausted rate limit.
  private func followLimit(_ response: Response) {
    guard let budget, pace.followsHeaders else { return }
    let now = instruments.wallClock.sinceEpoch().seconds
    var wait: Duration?
    if response.status == 429 { wait = RetryAfter.wait(response.headers.values("Retry-After"), now: now) }
    if wait == nil {
      do throws(LimitFields.Unreadable) {
        if let fields = pace.limitFields {
          wait = try fields.wait(now: now, fields: response.headers.values)
        } else if let limit = response.headers.rateLimit(now: now), limit.isExhausted(on: response.status) {
          wait = limit.reset
          if wait == nil { try RateLimitHeaders.checkReset(fields: response.headers.values) }
        }
      } catch {
        if unreadableLimit.isFirst() {
          instruments.observer(.warned(FlowWarning(.unreadableLimit, ReactorError(error))))
        }
      }
    }
    guard let wait, wait > .zero else { return }
    budget.hold(for: min(wait, policy.backoff.longest))
  }
}

extension ReactorError {
  fileprivate init(_ unreadable: LimitFields.Unreadable) {
    self.init(
      .server,
      "the rate limit in the response cannot be read: '\(unreadable.name)' is '\(unreadable.value)', not "
        + unreadable.expected)
    key = "http.rate.follow"
    help = "write in 'http.rate.follow' which fields the server sends, and in which format"
  }
}
