import Testing
import WebSyntax

@Suite struct RetryAfterTests {
  private static let now = 784_111_700.0

  @Test(arguments: [
    (["0"], Duration.zero), (["1"], .seconds(1)), ([" 120 "], .seconds(120)), (["0.5"], .milliseconds(500)),
    (["Sun, 06 Nov 1994 08:49:37 GMT"], .seconds(77)), (["Sun Nov  6 08:49:37 1994"], .seconds(77)),
    (["Sun, 06 Nov 1994 08:00:00 GMT"], .zero), (["99999999999999999999999"], RetryAfter.longest),
    (["Fri, 31 Dec 9999 23:59:59 GMT"], RetryAfter.longest), (["5", "30"], .seconds(30)), (["soon", "3"], .seconds(3)),
  ]) func `a wait is read`(fields: [String], wait: Duration) {
    #expect(RetryAfter.wait(fields, now: Self.now) == wait)
  }

  @Test(arguments: [[], [""], ["soon"], ["-1"], ["1e3"], ["1,5"], [".5"], ["0x10"]])
  func `what cannot be read asks for nothing`(fields: [String]) {
    #expect(RetryAfter.wait(fields, now: Self.now) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -1e300, 1e300]) func `a senseless clock traps nothing`(now: Double) {
    #expect(RetryAfter.wait(["Sun, 06 Nov 1994 08:49:37 GMT"], now: now) != nil)
    #expect(RateLimitHeaders(now: now) { _ in ["99999999999999"] } != nil)
  }
}

@Suite struct RateLimitHeadersTests {
  private static let now = 1_700_000_000.0

  struct Case: CustomTestStringConvertible {
    let fields: [String: [String]]
    let expected: RateLimitHeaders?
    var testDescription: String { "\(fields)" }

    init(_ fields: [String: [String]], _ limit: Int?, _ remaining: Int?, _ reset: Duration?) {
      self.fields = fields
      let statement = RateLimitHeaders(limit: limit, remaining: remaining, reset: reset)
      expected = statement == RateLimitHeaders() ? nil : statement
    }
  }

  @Test(arguments: [
    Case(
      ["x-ratelimit-limit": ["60"], "x-ratelimit-remaining": ["0"], "x-ratelimit-reset": ["1700000030"]], 60, 0,
      .seconds(30)),
    Case(["x-ratelimit-remaining": ["5"], "x-ratelimit-reset": ["30"]], nil, 5, .seconds(30)),
    Case(["x-ratelimit-remaining": ["5"], "x-ratelimit-reset": ["1700000030500"]], nil, 5, .milliseconds(30500)),
    Case(["x-ratelimit-remaining": ["0"], "x-ratelimit-reset": ["1699999999"]], nil, 0, .zero),
    Case(
      ["x-ratelimit-remaining": ["0"], "x-ratelimit-reset": ["Tue, 14 Nov 2023 22:13:50 GMT"]], nil, 0, .seconds(30)),
    Case(["x-rate-limit-remaining": ["7"], "x-rate-limit-reset": ["1700000001"]], nil, 7, .seconds(1)),
    Case(
      ["ratelimit-limit": ["100, 100;w=60"], "ratelimit-remaining": ["3"], "ratelimit-reset": ["50"]], 100, 3,
      .seconds(50)),
    Case(["ratelimit": ["limit=100, remaining=50, reset=7"]], 100, 50, .seconds(7)),
    Case(["ratelimit": ["\"default\";r=0;t=30"]], nil, 0, .seconds(30)),
    Case(["ratelimit": ["\"hour;r=1\";r=900;t=1800, \"second\";q=10;r=2;t=1"]], 10, 2, .seconds(1)),
    Case(["ratelimit": ["\"a\";r=0;t=5", "\"b\";r=0;t=50"]], nil, 0, .seconds(50)),
    Case(["ratelimit": ["\"a\";r=0;t=5"], "x-ratelimit-remaining": ["9"]], nil, 0, .seconds(5)),
    Case(["ratelimit": ["nonsense"], "x-ratelimit-remaining": ["9"]], nil, 9, nil),
    Case(["ratelimit-limit": ["10"], "x-ratelimit-remaining": ["9"]], nil, 9, nil),
    Case(["x-ratelimit-remaining": ["many"], "x-ratelimit-reset": ["soon"]], nil, nil, nil),
    Case(["x-ratelimit-remaining": ["99999999999999999999"]], nil, 1_000_000_000_000_000, nil),
    Case([:], nil, nil, nil),
  ]) func `a dialect is read`(headers: Case) {
    let read = RateLimitHeaders(now: Self.now) { headers.fields[$0.lowercased()] ?? [] }
    #expect(read == headers.expected)
  }

  @Test func `a budget is exhausted at zero only`() {
    #expect(RateLimitHeaders(remaining: 0).isExhausted(on: 200))
    #expect(!RateLimitHeaders(remaining: 1).isExhausted(on: 200))
    #expect(!RateLimitHeaders(reset: .seconds(3)).isExhausted(on: 200))
  }
}

@Suite struct LimitFieldsTests {
  private static let now = 1_700_000_000.0

  private static let readable: [([String], [String], WaitField.Format, Duration?)] = [
    (["0"], ["1700000045"], .epochSeconds, .seconds(45)),
    (["0"], ["45"], .seconds, .seconds(45)), (["0", "7"], ["45", "50"], .seconds, .seconds(50)),
    (["0;w=60"], ["45"], .auto, .seconds(45)), (["0.5"], ["45"], .seconds, .seconds(45)),
    (["0"], ["2023-11-14T22:13:50.5Z"], .time, .milliseconds(30_500)),
    (["0"], ["2023-11-15T00:13:50+02:00"], .time, .seconds(30)),
    (["0"], ["Tue, 14 Nov 2023 22:13:50 GMT"], .time, .seconds(30)), (["0"], ["1699999999"], .epochSeconds, .zero),
    (["1"], ["45"], .seconds, nil), (["1"], ["soon"], .seconds, nil), ([], ["45"], .seconds, nil),
    (["0"], [], .seconds, nil),
  ]

  @Test(arguments: readable) func `the wait is until the reset when nothing remains`(
    remaining: [String], reset: [String], format: WaitField.Format, wait: Duration?
  ) throws {
    let fields = LimitFields(remaining: "Left", reset: WaitField("Until", format: format))
    #expect(try fields.wait(now: Self.now) { $0 == "Left" ? remaining : $0 == "Until" ? reset : [] } == wait)
  }

  @Test(arguments: [
    ("none", "45", "Left", "none", "a number"), ("-1", "45", "Left", "-1", "a number"),
    ("0", "soon", "Until", "soon", "a time"), ("0", "45", "Until", "45", "a time"),
  ]) func `what cannot be read is named`(
    remaining: String, reset: String, name: String, value: String, expected: String
  ) {
    let fields = LimitFields(remaining: "Left", reset: WaitField("Until", format: .time))
    let error = #expect(throws: LimitFields.Unreadable.self) {
      try fields.wait(now: Self.now) { [$0 == "Left" ? remaining : reset] }
    }
    #expect([error?.name, error?.value, error?.expected] == [name, value, expected])
  }
}
