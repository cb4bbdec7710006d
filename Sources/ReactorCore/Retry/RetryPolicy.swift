public import WebSyntax

/// The rules for retries: which requests are sent again, how often, and after which wait.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of retries of a request; 0 disables retries.
  public var retries: Int
  /// The statuses after which a request is sent again.
  public var statuses: [ClosedRange<Int>]
  /// Whether a request is sent again when no complete response arrives within its time limit.
  public var onTimeout: Bool
  /// Whether a request is sent again when its connection broke before the response began.
  public var onReset: Bool
  /// Whether a request is sent again when no connection could be opened.
  ///
  /// This is safe for every method, because nothing was sent.
  public var onConnect: Bool
  /// The waits when the server does not set the wait.
  public var backoff: Backoff
  /// Whether `Retry-After` and the rate-limit header fields set the wait, up to `backoff.longest`.
  public var honoursServer: Bool
  /// A further header field that sets the wait, before `Retry-After`; nil for none.
  public var waitField: WaitField?
  /// Whether the request may be sent twice, whatever its method.
  public var isIdempotent: Bool

  /// Creates a policy.
  ///
  /// The default is 2 retries after errors that are usually temporary: 429, 502, 503, 504, lost connections and
  /// connections that could not be opened.
  public init(
    retries: Int = 2, statuses: [ClosedRange<Int>] = [429...429, 502...504], onTimeout: Bool = false,
    onReset: Bool = true, onConnect: Bool = true, backoff: Backoff = Backoff(), honoursServer: Bool = true,
    isIdempotent: Bool = false
  ) {
    self.retries = retries
    self.statuses = statuses
    self.onTimeout = onTimeout
    self.onReset = onReset
    self.onConnect = onConnect
    self.backoff = backoff
    self.honoursServer = honoursServer
    self.isIdempotent = isIdempotent
  }

  /// A policy without retries.
  public static var none: RetryPolicy {
    RetryPolicy(retries: 0, statuses: [], onReset: false, onConnect: false, honoursServer: false)
  }

  /// Returns the reason to send a request again after a response with a status; nil when the response is final.
  public func reason(status: Int, of method: Resource.Method) -> RetryReason? {
    guard retries > 0, mayRepeat(method), statuses.contains(where: { $0.contains(status) }) else { return nil }
    return .status(status)
  }

  /// Returns the reason to send a request again after a rule selected its response; nil when it must not be sent again.
  public func reason(rule status: Int, of method: Resource.Method) -> RetryReason? {
    retries > 0 && mayRepeat(method) ? .rule(status) : nil
  }

  /// Returns the reason to send a failed request again; nil when the error is final.
  ///
  /// An error has a status when the response to a request that this one needs was a failure, such as the request for its
  /// token. The status decides then.
  public func reason(_ error: ReactorError, of method: Resource.Method) -> RetryReason? {
    if error.kind == .server, !error.isBrokenConnection, let status = error.status {
      return reason(status: status, of: method)
    }
    guard retries > 0, let reason = RetryReason(error) else { return nil }
    switch reason {
    case .status, .rule, .job: return nil
    case .timeout: return onTimeout && mayRepeat(method) ? reason : nil
    case .reset: return onReset && mayRepeat(method) ? reason : nil
    case .connect: return onConnect ? reason : nil
    }
  }

  /// Returns the wait before a retry.
  ///
  /// The server's wait is used, at most `backoff.longest`. When the server sets no wait or a wait of zero, `backoff`
  /// sets the wait.
  ///
  /// - Parameters:
  ///   - retry: the number of the retry, from 1
  ///   - status: the status of the response; nil without a response
  ///   - headers: the headers of the response; nil without a response
  ///   - now: the current time in seconds since 1970
  ///   - random: a random number, at least 0 and below 1
  public func wait(beforeRetry retry: Int, status: Int?, headers: Headers?, now: Double, random: Double) -> Duration {
    if honoursServer, let status, let headers, let asked = asked(status, headers, now: now), asked > .zero {
      return min(asked, backoff.longest)
    }
    return backoff.wait(beforeRetry: retry, random: random)
  }

  /// Whether a request with this method may be sent twice.
  ///
  /// It may when the second request has no further effect (RFC 9110, section 9.2.2) or the policy allows it.
  private func mayRepeat(_ method: Resource.Method) -> Bool {
    switch method {
    case .GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE: true
    case .POST, .PATCH, .CONNECT: isIdempotent
    }
  }

  private func asked(_ status: Int, _ headers: Headers, now: Double) -> Duration? {
    if let waitField, let wait = waitField.wait(headers.values(waitField.name), now: now) { return wait }
    if let wait = RetryAfter.wait(headers.values("Retry-After"), now: now) { return wait }
    guard let limit = headers.rateLimit(now: now), limit.isExhausted(on: status) else { return nil }
    return limit.reset
  }
}
