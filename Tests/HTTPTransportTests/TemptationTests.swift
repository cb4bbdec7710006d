import HTTPTransport
import ReactorCore
import TestSupport
import Testing

/// Responses that are legal, and ask for something that must not be done.
@Suite(.serialized) struct TemptationTests {
  struct Temptation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    var status = 200
    var body = "hello"

    init(_ name: String, _ fields: String..., status: Int = 200, body: String = "hello") {
      testDescription = name
      self.status = status
      self.body = body
      answer =
        "HTTP/1.1 \(status) X\r\n" + fields.map { $0 + "\r\n" }.joined()
        + (status == 204 || status == 304 ? "\r\n" : "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    init(_ name: String, answer: String) {
      testDescription = name
      self.answer = answer
    }
  }

  static let temptations: [Temptation] = [
    Temptation("a cookie", "Set-Cookie: session=evil"),
    Temptation("a cookie for everybody", "Set-Cookie: a=b; Domain=com; Path=/"),
    Temptation("a cookie without end", "Set-Cookie: a=b; Max-Age=99999999999; Path=/"),
    Temptation("a large cookie", "Set-Cookie: a=" + String(repeating: "x", count: 50_000)),
    Temptation("five hundred cookies", (0..<500).map { "Set-Cookie: c\($0)=x" }.joined(separator: "\r\n")),
    Temptation("a cookie that is none", "Set-Cookie: ;;;=;"),
    Temptation(
      "a cookie with the hints",
      answer: "HTTP/1.1 103 Hints\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    Temptation(
      "a cookie in the trailer",
      answer: head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\nSet-Cookie: a=b\r\n\r\n"),
    Temptation(
      "a length in the trailer",
      answer: head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\nContent-Length: 500\r\n\r\n"),
    Temptation("a wait of 30 years", "Retry-After: 999999999", status: 503),
    Temptation("a wait beyond 64 bits", "Retry-After: 99999999999999999999999", status: 429),
    Temptation("a wait that is negative", "Retry-After: -1", status: 503),
    Temptation("a wait until 9999", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", status: 429),
    Temptation("a wait in words", "Retry-After: soon", status: 503),
    Temptation("a wait with a redirect that has no place", "Retry-After: 3600", status: 302),
    Temptation("a wait with success", "Retry-After: 3600"),
    Temptation("a question for a password", "WWW-Authenticate: Basic realm=\"x\"", status: 401),
    Temptation("a question for the machine's account", "WWW-Authenticate: Negotiate", status: 401),
    Temptation("a question for NTLM", "WWW-Authenticate: NTLM", status: 401),
    Temptation("a proxy's question without a proxy", "Proxy-Authenticate: Basic realm=\"x\"", status: 407),
    Temptation("another service", "Alt-Svc: h2=\"127.0.0.1:1\"; ma=999999"),
    Temptation("a change of protocol", "Upgrade: h2c", "Connection: Upgrade"),
    Temptation("a demand for upgrade", "Upgrade: TLS/1.0", "Connection: Upgrade", status: 426),
    Temptation("a place with success", "Location: http://127.0.0.1:1/", status: 200),
    Temptation("a place with creation", "Location: /created", status: 201),
    Temptation("a content location", "Content-Location: http://127.0.0.1:1/"),
    Temptation("a refresh", "Refresh: 0; url=http://127.0.0.1:1/"),
    Temptation("a preload", "Link: </next>; rel=preload, </style.css>; rel=stylesheet"),
    Temptation("a use of a proxy", "Location: http://127.0.0.1:1/", status: 305),
    Temptation("several choices", "Location: /a", status: 300),
    Temptation("a file name", "Content-Disposition: attachment; filename=\"../../etc/passwd\""),
    Temptation("strict transport", "Strict-Transport-Security: max-age=99999999; includeSubDomains"),
    Temptation("a connection to be kept for ever", "Keep-Alive: timeout=999999999, max=99999999"),
    Temptation("a range nobody asked for", "Content-Range: bytes 0-4/10"),
    Temptation("an unknown status of success", status: 299),
    Temptation("the last status", status: 599),
    Temptation("a status beyond all classes", status: 999),
    Temptation("no change", "ETag: \"x\"", status: 304, body: ""),
    Temptation("nothing", status: 204, body: ""),
    Temptation("a reset of the document", status: 205, body: ""),
    Temptation("a repeated date", "Date: x", "Date: y", "Age: -1", "Expires: 0"),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: temptations)
  func `what a response asks for is not done`(_ temptation: Temptation) async throws {
    let exchange = try Exchange(adjust: {
      $0.redirects.scope = .anyOrigin
      $0.headers = ["X-Token": "own"]
    }) { request in request.target == "/first" ? [.text(temptation.answer)] : ok("second") }
    defer { exchange.stop() }
    let response = try await exchange.connection.response(for: Resource(path: "/first", method: .GET))
    let body = try await response.body.collect(upTo: 1_000)
    #expect(response.status == temptation.status)
    #expect(String(decoding: body, as: UTF8.self) == temptation.body)
    #expect(try await exchange.text(Resource(path: "/second", method: .GET)) == "second")
    // Nothing else was asked, of nobody, and the second request says nothing that the first did not.
    let requests = exchange.server.requests
    #expect(requests.map(\.target) == ["/first", "/second"])
    #expect(requests.first?.fields.map(\.name) == requests.last?.fields.map(\.name))
    #expect(requests.last?["Cookie"] == nil && requests.last?["Authorization"] == nil)
  }

  @Test func `the temptations have names of their own`() {
    #expect(Set(Self.temptations.map(\.testDescription)).count == Self.temptations.count)
    #expect(Self.temptations.count >= 40)
  }
}
