import HTTPTransport
import ReactorCore
import TestSupport

extension Misbehaviour {
  private static func redirect(_ fields: String..., status: Int = 302) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 \(status) Moved\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: 0\r\n\r\n")]
  }

  /// The good twin: a redirect to a place on the same server that does not exist in the script but for its response.
  private static func to(_ name: String, _ location: String, _ reason: String, any: Bool = true) -> Misbehaviour {
    Misbehaviour(
      name: name, bad: redirect("Location: \(location)"), reason: reason,
      adjust: { if any { $0.redirects.scope = .anyOrigin } }, isSoundlyFramed: true)
  }

  static let redirections: [Misbehaviour] = [
    to("a redirect to a file", "file:///etc/passwd", "the scheme 'file', which is refused"),
    to("a redirect to gopher", "gopher://127.0.0.1:6379/_INFO", "the scheme 'gopher', which is refused"),
    to("a redirect to dict", "dict://127.0.0.1:11211/stats", "the scheme 'dict', which is refused"),
    to("a redirect to ftp", "ftp://127.0.0.1/", "the scheme 'ftp', which is refused"),
    to("a redirect with user information", "http://admin:pw@127.0.0.1/", "user information, which is refused"),
    to("a redirect to another port", "http://127.0.0.1:1/", "another origin, http://127.0.0.1:1", any: false),
    to("a redirect without a host", "http:///x", "redirects to"),
    to("a redirect to a link-local address", "http://169.254.169.254/", "another origin", any: false),
    to("a redirect to an impossible port", "http://127.0.0.1:99999/", "redirects to"),
    to("a redirect to itself for ever", "/bad", "is redirect number 11, and 10 are allowed"),
    .init(
      name: "a redirect to two places", bad: redirect("Location: /a", "Location: /b"),
      reason: "two different URLs", isSoundlyFramed: true),
    .init(
      name: "a redirect with a line feed folded in", bad: redirect("Location: /a\r\n b"),
      reason: "folded header field"),
    .init(name: "a redirect with a control byte", bad: redirect("Location: /a\u{1}b"), reason: "control byte"),
    .init(
      name: "a redirect whose body never ends",
      bad: [
        .text("HTTP/1.1 302 Moved\r\nLocation: /bad\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .repeat(Array("64\r\n".utf8) + letters(100) + [13, 10], count: 1_000_000),
      ], reason: "is redirect number 11"),
    .init(
      name: "a redirect that drips", bad: [.drip(Array(head("Location: /bad").utf8), everyMilliseconds: 50), .hold],
      reason: "within 0.4 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "a redirect of 60 kB",
      bad: redirect("Location: http://127.0.0.1:1/" + String(repeating: "a", count: 60_000)),
      reason: "another origin", isSoundlyFramed: true),
  ]

  /// Responses that keep a reader busy without ever giving it a byte.
  static let emptiness: [Misbehaviour] = [
    .init(
      name: "empty lines in front of a status line without end",
      bad: [.repeat(Array("\r\n".utf8), count: 10_000_000), .hold], reason: ""),
    .init(
      name: "a gzip name without end",
      bad: [.text(head("Content-Encoding: gzip")), .send([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), endless],
      reason: "larger than 1000000 bytes", good: coded("gzip", gzip), body: text,
      adjust: { $0.maxBodyBytes = 1_000_000 }),
    .init(
      name: "empty gzip members without end",
      bad: [
        .text(head("Content-Encoding: gzip")),
        .repeat([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], count: 10_000_000), .hold,
      ], reason: "larger than 1000000 bytes", adjust: { $0.maxBodyBytes = 1_000_000 }),
    .init(
      name: "empty deflate blocks without end",
      bad: [
        .text(head("Content-Encoding: deflate")), .repeat([0, 0, 0, 0xff, 0xff], count: 10_000_000), .hold,
      ], reason: "larger than 1000000 bytes", adjust: { $0.maxBodyBytes = 1_000_000 }),
    .init(
      name: "zstd frames to be skipped without end",
      bad: [
        .text(head("Content-Encoding: zstd")), .repeat([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], count: 10_000_000), .hold,
      ], reason: "", adjust: { $0.maxBodyBytes = 1_000_000 }),
    .init(
      name: "chunks of one byte without end",
      bad: [
        .text(head("Transfer-Encoding: chunked")), .repeat(Array("1\r\nx\r\n".utf8), count: 100_000_000), .hold,
      ], reason: "larger than 100000 bytes (max_bytes)", adjust: { $0.maxBodyBytes = 100_000 }),
    .init(
      name: "a body for an informational response",
      bad: [.text("HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\n"), .close],
      reason: ""),
    .init(
      name: "informational answers one by one",
      bad: [
        .drip(Array(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 30).utf8), everyMilliseconds: 20), .hold,
      ], reason: "within 0.4 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "trailers byte by byte",
      bad: [
        .text(head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n"),
        .drip(Array(String(repeating: "X-A: 1\r\n", count: 100).utf8), everyMilliseconds: 30), .hold,
      ], reason: "within 0.4 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "a chunk's size byte by byte",
      bad: [
        .text(head("Transfer-Encoding: chunked")), .drip(Array("0000000000005\r\nhello".utf8), everyMilliseconds: 100),
        .hold,
      ], reason: "within 0.4 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "a gzip body that stalls",
      bad: coded("gzip", Array(gzip.prefix(60))).dropLast() + [
        .send(Array(gzip.prefix(30))), .hold,
      ], reason: "fewer than 100 bytes per second for 1 s", kind: .timeout, good: coded("gzip", gzip), body: text,
      adjust: { $0.lowSpeedTime = .seconds(1) }),
    .init(
      name: "the preface of HTTP/2", bad: [.text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), .close], reason: ""),
    .init(
      name: "frames of HTTP/2", bad: [.send([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]), .close], reason: ""),
    .init(
      name: "a TLS alert", bad: [.send([0x15, 3, 1, 0, 2, 2, 0x16]), .close], reason: "not valid HTTP"),
    .init(
      name: "chunks in front of another coding",
      bad: [.text(head("Transfer-Encoding: chunked, gzip") + "5\r\nhello\r\n0\r\n\r\n"), .close],
      reason: "transfer-encoding"),
    .init(
      name: "a transfer coding nobody knows",
      bad: [.text(head("Transfer-Encoding: xchunked") + "5\r\nhello\r\n0\r\n\r\n"), .close], reason: "transfer-encoding"
    ),
    .init(
      name: "a length of 2 to the 64th", bad: [.text(head("Content-Length: 18446744073709551616") + "hello"), .close],
      reason: ""),
    .init(
      name: "parts of many ranges",
      bad: [
        .text(
          "HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=x\r\nContent-Length: 5\r\n\r\nhello"
        )
      ], reason: "is a part (206)"),
  ]

  private static let endless = ScriptedServer.Step.repeat(letters(65_536), count: 100_000)
}
