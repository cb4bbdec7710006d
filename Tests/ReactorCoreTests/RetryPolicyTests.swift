import ReactorCore
import Testing

@Suite struct RetryPolicyTests {
  private static let now = 1_700_000_000.0

  @Test(arguments: [
    (429, Resource.Method.GET, true), (502, .GET, true), (503, .HEAD, true), (504, .OPTIONS, true), (503, .PUT, true),
    (503, .DELETE, true), (503, .TRACE, true), (500, .GET, false), (501, .GET, false), (505, .GET, false),
    (404, .GET, false), (200, .GET, false), (428, .GET, false), (503, .POST, false), (429, .PATCH, false),
    (429, .CONNECT, false),
  ]) func `what usually passes is tried again where the method may be repeated`(
    status: Int, method: Resource.Method, isRetried: Bool
  ) {
    #expect(RetryPolicy().reason(status: status, of: method) == (isRetried ? .status(status) : nil))
    #expect(RetryPolicy.none.reason(status: status, of: method) == nil)
  }

  @Test func `a request declared idempotent is tried again whatever its method`() {
    let policy = RetryPolicy(isIdempotent: true)
    #expect(policy.reason(status: 503, of: .POST) == .status(503))
    #expect(policy.reason(.broken, of: .PATCH) == .reset)
  }

  @Test(arguments: [
    (ReactorError.broken, Resource.Method.GET, RetryReason?.some(.reset)), (.broken, .POST, nil),
    (ReactorError(.noConnectivity, "cannot connect"), .GET, .connect),
    (ReactorError(.noConnectivity, "cannot connect"), .POST, .connect),
    (ReactorError(.timeout, "no response"), .GET, nil), (.server("the response is not valid HTTP"), .GET, nil),
    (.server("the response is larger than 5 bytes"), .GET, nil), (.cancelled, .GET, nil),
    (.parser("no JSON"), .GET, nil),
  ]) func `of faults only those that may pass are tried again`(
    error: ReactorError, method: Resource.Method, reason: RetryReason?
  ) {
    #expect(RetryPolicy().reason(error, of: method) == reason)
  }

  @Test func `timeouts are tried again on request`() {
    let policy = RetryPolicy(statuses: [], onTimeout: true, onReset: false, onConnect: false)
    #expect(policy.reason(ReactorError(.timeout, "no response"), of: .GET) == .timeout)
    #expect(policy.reason(ReactorError(.timeout, "no response"), of: .POST) == nil)
    #expect(policy.reason(.broken, of: .GET) == nil)
    #expect(policy.reason(ReactorError(.noConnectivity, "cannot connect"), of: .GET) == nil)
  }

  /// Fields of a response, and the wait before the second retry; nil: the back-off's 2 s.
  private static let wishes: [(Headers, Duration?)] = [
    ([:], nil), (["Retry-After": "0"], nil), (["Retry-After": "1"], .seconds(1)),
    (["retry-after": "7.5"], .milliseconds(7500)), (["Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"], .seconds(30)),
    (["Retry-After": "Tue, 14 Nov 2023 22:13:10 GMT"], nil), (["Retry-After": "99999999999999999999"], .seconds(60)),
    (["Retry-After": "-5"], nil), (["Retry-After": "tomorrow"], nil),
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000009"], .seconds(9)),
    (["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1700000009"], nil),
    (["X-RateLimit-Reset": "1700000009"], .seconds(9)), (["RateLimit-Reset": "7"], .seconds(7)),
    (["RateLimit": "\"default\";r=0;t=3600"], .seconds(60)),
    (["Retry-After": "2", "RateLimit": "\"default\";r=0;t=30"], .seconds(2)),
  ]

  @Test(arguments: wishes) func `the server's wish sets the wait within bounds`(headers: Headers, wait: Duration?) {
    let policy = RetryPolicy(backoff: Backoff(isExponential: false, first: .seconds(2)))
    let found = policy.wait(beforeRetry: 2, status: 429, headers: headers, now: Self.now, random: 0)
    #expect(found == wait ?? .seconds(2))
    var deaf = policy
    deaf.honoursServer = false
    #expect(deaf.wait(beforeRetry: 2, status: 429, headers: headers, now: Self.now, random: 0) == .seconds(2))
  }

  @Test func `exponential waits double up to the longest and are spread over their second half`() {
    let backoff = Backoff(first: .seconds(1), longest: .seconds(10))
    #expect(
      (1...6).map { backoff.wait(beforeRetry: $0, random: 0) }
        == [500, 1000, 2000, 4000, 5000, 5000].map { Duration.milliseconds($0) })
    #expect(backoff.wait(beforeRetry: 1, random: 0.5) == .milliseconds(750))
    #expect(backoff.wait(beforeRetry: 1_000_000, random: 0.999) < .seconds(10))
    #expect(backoff.wait(beforeRetry: 1_000_000, random: 7) == .seconds(10))
    #expect(Backoff(first: .seconds(99), longest: .seconds(10)).wait(beforeRetry: 1, random: 1) == .seconds(10))
  }

  @Test func `constant waits are exact`() {
    let backoff = Backoff(isExponential: false, first: .seconds(3))
    #expect((1...3).map { backoff.wait(beforeRetry: $0, random: 0.3) } == [.seconds(3), .seconds(3), .seconds(3)])
  }
}

extension ReactorError {
  /// A connection that broke.
  static var broken: ReactorError {
    var error = ReactorError.server("the server closed the connection without a response")
    error.isBrokenConnection = true
    return error
  }
}
