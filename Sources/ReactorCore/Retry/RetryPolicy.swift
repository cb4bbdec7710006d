internal import WebSyntax

/// Which requests are sent again, how often, and after which wait.
public struct RetryPolicy: Sendable, Hashable {
  /// How often a request is sent again at most; 0 is never.
  public var retries: Int
  /// Statuses after which a request is sent again.
  public var statuses: [ClosedRange<Int>]
  /// Whether a request without a complete response in its time is sent again.
  public var onTimeout: Bool
  /// Whether a connection that broke before the response had begun is sent again.
  public var onReset: Bool
  /// Whether a request is sent again when no connection could be opened; safe for every method, since nothing was sent.
  public var onConnect: Bool
  /// The waits when the server does not say.
  public var backoff: Backoff
  /// Whether `Retry-After` and the rate limit's fields set the wait, within `backoff.longest`.
  public var honoursServer: Bool
  /// Whether the request may be sent twice whatever its method.
  public var isIdempotent: Bool

  /// A policy; the default is 2 retries of what usually passes: 429, 502, 503, 504 and lost connections.
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

  /// Sends every request once.
  public static var none: RetryPolicy {
    RetryPolicy(retries: 0, statuses: [], onReset: false, onConnect: false, honoursServer: false)
  }

  /// Why the request of a response is sent again; nil when the response counts.
  public func reason(status: Int, of method: Resource.Method) -> RetryReason? {
    guard retries > 0, mayRepeat(method), statuses.contains(where: { $0.contains(status) }) else { return nil }
    return .status(status)
  }

  /// Why the request of a response that a rule selects is sent again; nil when it must not be.
  public func reason(rule status: Int, of method: Resource.Method) -> RetryReason? {
    retries > 0 && mayRepeat(method) ? .rule(status) : nil
  }

  /// Why a failed request is sent again; nil when its failure is final.
  public func reason(_ error: ReactorError, of method: Resource.Method) -> RetryReason? {
    guard retries > 0, let reason = RetryReason(error) else { return nil }
    switch reason {
    case .status, .rule: return nil
    case .timeout: return onTimeout && mayRepeat(method) ? reason : nil
    case .reset: return onReset && mayRepeat(method) ? reason : nil
    case .connect: return onConnect ? reason : nil
    }
  }

  /// The wait before a retry: what the server asks for, at most `backoff.longest`; else, and for a wait of zero, the
  /// back-off's.
  ///
  /// - Parameters:
  ///   - retry: its number, from 1
  ///   - status: of the response, where there is one
  ///   - headers: of the response, where there is one
  ///   - now: seconds since 1970
  ///   - random: at least 0 and below 1
  public func wait(beforeRetry retry: Int, status: Int?, headers: Headers?, now: Double, random: Double) -> Duration {
    if honoursServer, let status, let headers, let asked = Self.asked(status, headers, now: now), asked > .zero {
      return min(asked, backoff.longest)
    }
    return backoff.wait(beforeRetry: retry, random: random)
  }

  /// Whether a second sending of the method does what the first one did (RFC 9110, section 9.2.2).
  private func mayRepeat(_ method: Resource.Method) -> Bool {
    switch method {
    case .GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE: true
    case .POST, .PATCH, .CONNECT: isIdempotent
    }
  }

  private static func asked(_ status: Int, _ headers: Headers, now: Double) -> Duration? {
    if let wait = RetryAfter.wait(headers.values("Retry-After"), now: now) { return wait }
    guard let limit = headers.rateLimit(now: now), limit.isExhausted(on: status) else { return nil }
    return limit.reset
  }
}
