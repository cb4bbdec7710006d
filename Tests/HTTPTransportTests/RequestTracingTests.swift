import HTTPTransport
import ReactorCore
import Synchronization
import TestSupport
import Testing

/// Each request that is sent is watched once, from its beginning to its end.
@Suite struct RequestTracingTests {
  /// Notes what happens to requests, in its order.
  private final class Notes: RequestTracing {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    func span(for request: TracedRequest) -> (any RequestSpan)? {
      let path = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
      let again = request.resends == 0 ? "" : " again \(request.resends)"
      #expect(request.host == "127.0.0.1" && request.url.contains(":\(request.port)/"))
      return Span(name: "\(request.method) \(path)\(again)", notes: self)
    }

    func traceparent(of span: (any RequestSpan)?) -> String? { (span as? Span).map { "span of \($0.name)" } }
  }

  private struct Span: RequestSpan {
    let name: String
    let notes: Notes
    var id: String { "b7ad6b7169203331" }

    func begin() { notes.note("begin \(name)") }
    func end(status: Int?, _ failure: ReactorError?) {
      notes.note("end \(name): \(status.map(String.init) ?? "none")\(failure.map { " \($0.kind)" } ?? "")")
    }
  }

  private func notes(
    of resource: Resource = Resource(path: "/a", method: .GET, query: [.init("q", "1")]),
    reads: Bool = true, adjust: (inout HTTPOptions) -> Void = { _ in },
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
  ) async throws -> [String] {
    let notes = Notes()
    let exchange = try Exchange(adjust: adjust, tracing: notes, script)
    let response = try? await exchange.connection.response(for: resource)
    if reads { _ = try? await response?.body.collect(upTo: 1 << 20) } else { response?.body.cancel() }
    // The driving thread has ended all transfers then.
    exchange.stop()
    return notes.all
  }

  @Test func `A request ends with the last byte of its response`() async throws {
    #expect(try await notes { _ in ok() } == ["begin GET /a?q=1", "end GET /a?q=1: 200"])
  }

  @Test func `A redirect is a request of its own`() async throws {
    let notes = try await notes { request in
      request.target.hasPrefix("/a")
        ? [.text("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")] : ok()
    }
    #expect(
      notes == ["begin GET /a?q=1", "end GET /a?q=1: 302", "begin GET /b again 1", "end GET /b again 1: 200"])
  }

  @Test func `A response that is cut short, and one that does not come, are failures`() async throws {
    #expect(
      try await notes { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .close] }
        == ["begin GET /a?q=1", "end GET /a?q=1: 200 server"])
    #expect(
      try await notes(adjust: { $0.timeout = .milliseconds(100) }) { _ in [.hold] }
        == ["begin GET /a?q=1", "end GET /a?q=1: none timeout"])
  }

  @Test func `A response of which nobody reads the rest is cancelled`() async throws {
    let head = "HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nab"
    #expect(
      try await notes(reads: false) { _ in [.text(head), .hold] }
        == ["begin GET /a?q=1", "end GET /a?q=1: 503 cancelled"])
  }

  @Test func `A request that was sent before says how often`() async throws {
    var resource = Resource(path: "/a", method: .POST, body: [])
    resource.resends = 2
    #expect(try await notes(of: resource) { _ in ok() } == ["begin POST /a again 2", "end POST /a again 2: 200"])
  }

  @Test func `Each request to the own origin names its span`() async throws {
    let other = try ScriptedServer { _ in ok() }
    defer { other.stop() }
    let notes = Notes()
    let exchange = try Exchange(adjust: { $0.redirects.scope = .anyOrigin }, tracing: notes) { request in
      let next = request.target == "/a" ? "/b" : other.url + "/c"
      return [.text("HTTP/1.1 302 Found\r\nLocation: \(next)\r\nContent-Length: 0\r\n\r\n")]
    }
    _ = try await exchange.text(Resource(path: "/a", method: .GET))
    _ = try await exchange.text(Resource(path: "/", method: .GET, target: other.url + "/d"))
    exchange.stop()
    #expect(exchange.server.requests.map { $0["traceparent"] } == ["span of GET /a", "span of GET /b again 1"])
    #expect(other.requests.map { $0["traceparent"] } == [nil, nil])
  }

  @Test func `A field of the resource has priority`() async throws {
    let exchange = try Exchange(tracing: Notes()) { _ in ok() }
    defer { exchange.stop() }
    _ = try await exchange.text(Resource(path: "/a", method: .GET, headers: ["Traceparent": "own"]))
    #expect(exchange.server.requests.first?.fields.filter { $0.name == "traceparent" }.map(\.value) == ["own"])
  }

  @Test func `Requests that are sent ahead are watched once`() async throws {
    let notes = Notes()
    let exchange = try Exchange(tracing: notes) { _ in ok() }
    let chain = RequestChain { _, resource in
      Int(resource.path.dropFirst()).flatMap { $0 < 9 ? Resource(path: "/\($0 + 1)", method: .GET) : nil }
    }
    for number in 1...9 {
      var resource = Resource(path: "/\(number)", method: .GET)
      resource.chain = chain
      _ = try await exchange.text(resource)
    }
    exchange.stop()
    #expect(exchange.server.requests.map { $0["traceparent"] } == (1...9).map { "span of GET /\($0)" })
    #expect(notes.all.filter { $0.hasPrefix("begin") } == (1...9).map { "begin GET /\($0)" })
    #expect(notes.all.filter { $0.hasPrefix("end") } == (1...9).map { "end GET /\($0): 200" })
  }
}
