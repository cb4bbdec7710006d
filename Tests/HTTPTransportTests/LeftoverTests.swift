import HTTPTransport
import ReactorCore
import TestSupport
import Testing

/// Bytes behind a response must never become the beginning of the next one.
@Suite struct LeftoverTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    var method = Resource.Method.GET
    var body = ""
  }

  static let second = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

  static let cases: [Case] = [
    Case(testDescription: "a body of declared length", answer: head("Content-Length: 5") + "hello", body: "hello"),
    Case(
      testDescription: "chunks", answer: head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n", body: "hello"),
    Case(testDescription: "204", answer: "HTTP/1.1 204 No Content\r\n\r\n"),
    Case(testDescription: "304", answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"),
    Case(testDescription: "HEAD", answer: head("Content-Length: 45"), method: .HEAD),
    Case(testDescription: "an empty body", answer: head("Content-Length: 0")),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: cases, [-1, 0, 30])
  func `bytes behind a response are not the next response`(_ leftover: Case, _ delay: Int) async throws {
    let exchange = try Exchange { request in
      guard request.target == "/first" else { return ok("good") }
      if delay < 0 { return [.text(leftover.answer + Self.second)] }
      return [.text(leftover.answer), .pause(milliseconds: delay), .text(Self.second)]
    }
    defer { exchange.stop() }
    let first = try await exchange.text(Resource(path: "/first", method: leftover.method))
    #expect(first == leftover.body)
    let size = leftover.answer.utf8.count + Self.second.utf8.count
    #expect(await exchange.server.wait(until: { $0.bytesSent >= size || $0.openConnections == 0 }))
    #expect(try await exchange.text(Resource(path: "/second", method: .GET)) == "good")
  }
}
