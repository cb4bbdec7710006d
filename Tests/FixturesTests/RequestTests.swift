@testable import Fixtures
import ReactorCore
import Testing

@Suite struct RequestTests {
  private let base: FixtureBase

  init() throws { base = try FixtureBase(parsing: "http://127.0.0.1:8471/v2") }

  private func request(_ resource: Resource, _ matching: RequestMatching = RequestMatching()) throws
    -> RecordedRequest
  {
    try RecordedRequest(
      resource, at: base, matching: matching, scrubber: Scrubber(bases: [base], secrets: ["T": "t0ken-value"]))
  }

  @Test func `a request's key does not know its server, its secrets and the order of its query`() throws {
    let resource = Resource(
      path: "/c%7eustomers/%C3%a9", method: .GET,
      query: [.init("z", "1"), .init("a", "x y"), .init("key", "t0ken-value")])
    let request = try self.request(resource)
    #expect(request.line == "GET {{base}}/v2/c~ustomers/%C3%A9?a=x%20y&key={{secret:T}}&z=1")
  }

  @Test func `parameters of one name keep their order`() throws {
    let resource = Resource(path: "/c", method: .GET, query: [.init("b", "2"), .init("a", "9"), .init("b", "1")])
    #expect(try request(resource).url == "{{base}}/v2/c?a=9&b=2&b=1")
  }

  @Test(arguments: [
    ("{\"b\":1,\"a\":[ 2, {\"d\":1,\"c\":2}]}", "{\"a\":[2,{\"c\":2,\"d\":1}],\"b\":1}"), ("a=1&b=2", "a=1&b=2"),
    ("{broken", "{broken"), ("1.0", "1.0"),
  ])
  func `a JSON body counts by what it says`(_ body: String, _ canonical: String) throws {
    let request = try self.request(Resource(path: "/c", method: .POST, body: Array(body.utf8)))
    #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == canonical)
  }

  @Test func `only headers that are named count`() throws {
    let resource = Resource(path: "/c", method: .GET, headers: ["Accept": "a/b", "X-Other": "1"])
    #expect(try request(resource).headers.isEmpty)
    #expect(try request(resource, RequestMatching(headers: ["accept"])).headers == [.init("Accept", "a/b")])
  }

  @Test func `a mark that a response put into a URL is a mark there`() throws {
    let resource = Resource(path: "/c", method: .GET, query: [.init("token", "{{secret:learnt}}")])
    let request = try RecordedRequest(
      resource, at: base, matching: RequestMatching(), scrubber: Scrubber(bases: [base], keepsMarks: true))
    #expect(request.url == "{{base}}/v2/c?token={{secret:learnt}}")
  }

  @Test(arguments: [
    "{{base}}/a", "{{base}}/a?", "{{base}}/a?b", "{{base}}/a?b=", "{{base}}/a?b=1&c=2", "{{base}}/a?c=2&b=1&c=1",
    "{{base}}/a?b=1&&c=2", "{{base}}/a?&", "{{base}}/a?b=%7e&c=%2f", "{{base}}/a?b=é&a=ü", "{{base}}/%c3?é=1&d=?",
    "{{base}}/a?=1&b==", "",
  ])
  func `what is in order already is told from what is not`(_ url: String) {
    let canonical = RecordedRequest.canonical(url)
    #expect(RecordedRequest.canonical(canonical) == canonical)
    let long = RecordedRequest(method: "GET", url: canonical, body: Array("x".utf8))
    // A parameter that is ignored takes the long way.
    #expect(RequestMatching().key(long) == RequestMatching(ignoredQuery: ["never"]).key(long), "\(canonical)")
  }

  @Test func `the order of requests is that of their parts`() {
    let urls = [
      "{{base}}/a", "{{base}}/a?page=2", "{{base}}/a?page=10", "{{base}}/a/2", "{{base}}/a/10", "{{base}}/b?a=1",
    ]
    let requests = urls.map { RecordedRequest(method: "GET", url: $0) }
    for (left, first) in requests.enumerated() {
      for (right, second) in requests.enumerated() { #expect(first.precedes(second) == (left < right)) }
    }
    #expect(RecordedRequest(method: "GET", url: "a").precedes(RecordedRequest(method: "POST", url: "a")))
  }

  @Test(arguments: [
    ("page=9", "page=10", true), ("page=10", "page=9", false), ("a", "a1", true), ("a2b", "a10b", true),
    ("x", "x", false), ("7", "07", false), ("07", "7", true), ("a-1", "a-1-1", true),
  ])
  func `numbers in keys are ordered as numbers`(_ left: String, _ right: String, _ precedes: Bool) {
    #expect(NaturalOrder.precedes(left, right) == precedes)
  }
}
