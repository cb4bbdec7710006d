import HTTPTransport
import ReactorCore
import TestSupport

extension Misbehaviour {
  private static let chunked = head("Transfer-Encoding: chunked")

  static let framing: [Misbehaviour] = [
    .init(
      name: "a body cut by a close", bad: [.text(head("Content-Length: 10") + "hello"), .close], reason: "cut short"),
    .init(
      name: "a body cut by a reset",
      bad: [.text(head("Content-Length: 10") + "hello"), .pause(milliseconds: 20), .reset],
      reason: "cut short"),
    .init(
      name: "a declared body that never comes", bad: [.text(head("Content-Length: 10")), .close], reason: "cut short"),
    .init(
      name: "a close-delimited body cut by a reset", bad: [.text(head() + "hel"), .pause(milliseconds: 20), .reset],
      reason: "cut short", good: [.text(head() + "hello"), .close]),
    .init(
      name: "two differing lengths", bad: [.text(head("Content-Length: 5", "Content-Length: 6") + "hello!")],
      reason: "two different content-length",
      good: [.text(head("Content-Length: 5", "Content-Length: 5") + "hello")]),
    .init(
      name: "differing lengths in one list", bad: [.text(head("Content-Length: 5, 6") + "hello!")],
      reason: "two different content-length", good: [.text(head("content-length: 5, 5") + "hello")]),
    .init(
      name: "a length in words", bad: [.text(head("Content-Length: five") + "hello"), .close], reason: "HTTP"),
    .init(name: "a negative length", bad: [.text(head("Content-Length: -5") + "hello"), .close], reason: ""),
    .init(
      name: "a length with a plus", bad: [.text(head("Content-Length: +5") + "hello"), .close], reason: "not a number"),
    .init(
      name: "a hexadecimal length", bad: [.text(head("Content-Length: 0x5") + "hello"), .close],
      reason: "not a number"),
    .init(
      name: "a length with a tail", bad: [.text(head("Content-Length: 5;q=1") + "hello"), .close],
      reason: "not a number"),
    .init(name: "an empty length", bad: [.text(head("Content-Length:") + "hello"), .close], reason: ""),
    .init(
      name: "a length beyond 64 bits", bad: [.text(head("Content-Length: 99999999999999999999") + "hello"), .close],
      reason: ""),
    .init(
      name: "a length beside chunks",
      bad: [.text(head("Content-Length: 5", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n")],
      reason: "both a content-length and a transfer-encoding",
      good: [.text(chunked + "5\r\nhello\r\n0\r\n\r\n")]),
    .init(
      name: "chunks beside a length",
      bad: [.text(head("Transfer-Encoding: chunked", "Content-Length: 3") + "5\r\nhello\r\n0\r\n\r\n")],
      reason: "both a content-length and a transfer-encoding"),
    .init(
      name: "a transfer coding below the chunks",
      bad: [.text(head("Transfer-Encoding: gzip, chunked") + "5\r\nhello\r\n0\r\n\r\n")],
      reason: ""),
    .init(
      name: "two transfer codings",
      bad: [.text(head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + "0\r\n\r\n")],
      reason: "transfer-encoding other than chunked"),
    .init(
      name: "a transfer coding that does not delimit",
      bad: [.text(head("Transfer-Encoding: identity") + "hello"), .close],
      reason: "transfer-encoding other than chunked"),
    .init(
      name: "chunks over HTTP/1.0",
      bad: [.text("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), .close],
      reason: "which its HTTP version excludes", good: [.text("HTTP/1.0 200 OK\r\n\r\nhello"), .close]),
    .init(
      name: "an unasked part",
      bad: [.text("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/10\r\nContent-Length: 5\r\n\r\nhello")],
      reason: "is a part (206)"),
    .init(
      name: "204 with a length", bad: [.text("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")],
      reason: "status 204 excludes",
      good: [.text("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")], body: ""),
    .init(
      name: "204 with chunks",
      bad: [.text("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")],
      reason: "status 204 excludes", good: [.text("HTTP/1.1 204 No Content\r\n\r\n")], body: ""),
    .init(
      name: "304 with chunks",
      bad: [.text("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")],
      reason: "status 304 excludes",
      good: [.text("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")], body: ""),
    .init(name: "no response", bad: [.close], reason: "without a response"),
    .init(name: "a reset in place of a response", bad: [.reset], reason: ""),
  ]

  static let chunks: [Misbehaviour] = [
    .init(
      name: "a cut chunk", bad: [.text(chunked + "5\r\nhel"), .close], reason: "cut short",
      good: [.text(chunked + "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n")]),
    .init(name: "a missing last chunk", bad: [.text(chunked + "5\r\nhello\r\n"), .close], reason: "cut short"),
    .init(name: "a cut last chunk", bad: [.text(chunked + "5\r\nhello\r\n0\r\n"), .close], reason: "cut short"),
    .init(name: "a cut chunk size", bad: [.text(chunked + "5"), .close], reason: "cut short"),
    .init(
      name: "a chunk longer than its size", bad: [.text(chunked + "5\r\nhello!!\r\n0\r\n\r\n"), .close],
      reason: "damaged"),
    .init(
      name: "a chunk size in words", bad: [.text(chunked + "xyz\r\nhello\r\n0\r\n\r\n"), .close], reason: "damaged"),
    .init(name: "an empty chunk size", bad: [.text(chunked + "\r\nhello\r\n0\r\n\r\n"), .close], reason: "damaged"),
    .init(
      name: "a chunk size beyond 64 bits", bad: [.text(chunked + "fffffffffffffffff\r\nhello\r\n"), .close],
      reason: "damaged",
      good: [.text(chunked + "0000005\r\nhello\r\n0\r\n\r\n")]),
    .init(
      name: "a negative chunk size", bad: [.text(chunked + "-5\r\nhello\r\n0\r\n\r\n"), .close], reason: "damaged",
      good: [.text(chunked + "5;name=value\r\nhello\r\n0\r\n\r\n")]),
    .init(
      name: "a folded trailer", bad: [.text(chunked + "5\r\nhello\r\n0\r\nX-A: 1\r\n folded\r\n\r\n"), .close],
      reason: "folded",
      good: [.text(chunked + "5\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\n")]),
    .init(
      name: "a trailer without a name", bad: [.text(chunked + "5\r\nhello\r\n0\r\nnonsense\r\n\r\n"), .close],
      reason: "not valid HTTP", good: [.text(chunked + "5\r\nhello\r\n0\r\nX-A: 1\r\nX-B: 2\r\n\r\n")]),
  ]
}
