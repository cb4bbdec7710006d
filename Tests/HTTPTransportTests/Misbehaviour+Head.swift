import HTTPTransport
import ReactorCore
import TestSupport

extension Misbehaviour {
  private static let end = "Content-Length: 5\r\n\r\nhello"

  static let statusLines: [Misbehaviour] = [
    .init(name: "HTTP/0.9", bad: [.text("hello"), .close], reason: "not valid HTTP"),
    .init(name: "another protocol", bad: [.text("SSH-2.0-OpenSSH_9.2\r\n"), .hold], reason: "not valid HTTP"),
    .init(name: "status 000", bad: [.text("HTTP/1.1 000 No\r\n\(end)")], reason: ""),
    .init(name: "a status of two digits", bad: [.text("HTTP/1.1 20 OK\r\n\(end)"), .close], reason: ""),
    .init(name: "a status of four digits", bad: [.text("HTTP/1.1 2000 OK\r\n\(end)"), .close], reason: ""),
    .init(
      name: "a status in words", bad: [.text("HTTP/1.1 abc OK\r\n\(end)"), .close], reason: "",
      good: [.text("HTTP/1.1 200\r\n\(end)")]),
    .init(name: "HTTP/1.2", bad: [.text("HTTP/1.2 200 OK\r\n\(end)"), .close], reason: ""),
    .init(name: "HTTP/4", bad: [.text("HTTP/4 200 OK\r\n\(end)"), .close], reason: ""),
    .init(
      name: "an unasked change of protocol",
      bad: [.text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"), .hold],
      reason: "switches protocols"),
    .init(name: "a cut status line", bad: [.text("HTTP/1.1 20"), .close], reason: ""),
    .init(
      name: "a cut head", bad: [.text("HTTP/1.1 200 OK\r\nContent-Le"), .close], reason: "",
      good: [
        .text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\(end)")
      ]),
    .init(
      name: "a head without its end", bad: [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), .close], reason: "",
      good: [.text("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")]),
    .init(
      name: "only informational answers", bad: [.text("HTTP/1.1 100 Continue\r\n\r\n"), .close], reason: ""),
  ]

  static let fields: [Misbehaviour] = [
    .init(
      name: "a folded field", bad: [.text("HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\n\(end)")], reason: "folded header field",
      good: [.text("HTTP/1.1 200 OK\r\nX-A:\t 1\t \r\n\(end)")]),
    .init(
      name: "a field folded by a tab", bad: [.text("HTTP/1.1 200 OK\r\nX-A: 1\r\n\t2\r\n\(end)")],
      reason: "folded header field"),
    .init(name: "a line without a colon", bad: [.text("HTTP/1.1 200 OK\r\nnonsense\r\n\(end)")], reason: ""),
    .init(
      name: "a blank before the colon", bad: [.text("HTTP/1.1 200 OK\r\nX-A : 1\r\n\(end)")],
      reason: "character that is not allowed"),
    .init(
      name: "a blank before the length's colon", bad: [.text("HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello")],
      reason: "character that is not allowed"),
    .init(name: "an empty name", bad: [.text("HTTP/1.1 200 OK\r\n: 1\r\n\(end)")], reason: "without a name"),
    .init(
      name: "a name with a comma", bad: [.text("HTTP/1.1 200 OK\r\nX,A: 1\r\n\(end)")],
      reason: "character that is not allowed"),
    .init(
      name: "a name beyond ASCII", bad: [.text("HTTP/1.1 200 OK\r\nX-É: 1\r\n\(end)")],
      reason: "character that is not allowed", good: [.text("HTTP/1.1 200 OK\r\nX-A: É\r\n\(end)")]),
    .init(name: "NUL in a value", bad: [.text("HTTP/1.1 200 OK\r\nX-A: 1\0002\r\n\(end)")], reason: ""),
    .init(
      name: "a bare CR in a value", bad: [.text("HTTP/1.1 200 OK\r\nX-A: 1\rX-B: 2\r\n\(end)")], reason: "control byte"),
    .init(
      name: "a bell in a value", bad: [.text("HTTP/1.1 200 OK\r\nX-A: \u{7}\r\n\(end)")], reason: "control byte"),
    .init(
      name: "an escape in the reason phrase", bad: [.text("HTTP/1.1 200 \u{1b}[2J\r\n\(end)")], reason: "control byte",
      good: [.text("HTTP/1.1 200 Alles klar\r\n\(end)")]),
    .init(
      name: "a control byte in an informational head",
      bad: [.text("HTTP/1.1 103 Hint\r\nX: \u{1}\r\n\r\nHTTP/1.1 200 OK\r\n\(end)")], reason: "control byte"),
  ]

  static let limits: [Misbehaviour] = [
    .init(
      name: "too many fields", bad: [.text(head(many(1_001), "Content-Length: 5") + "hello")],
      reason: "more than 1000 header fields", good: [.text(head(many(998), "Content-Length: 5") + "hello")]),
    .init(
      name: "too large a head", bad: [.text(head(wide(5), "Content-Length: 5") + "hello")],
      reason: "", good: [.text(head(wide(4), "Content-Length: 5") + "hello")]),
    .init(
      name: "a line without end",
      bad: [.text("HTTP/1.1 200 OK\r\nX-A: "), .repeat(letters(65_536), count: 1_000), .hold],
      reason: ""),
    .init(
      name: "fields without end",
      bad: [.text("HTTP/1.1 200 OK\r\n"), .repeat(Array("X-A: 1\r\n".utf8), count: 1_000_000), .hold],
      reason: "more than 1000 header fields"),
    .init(
      name: "informational responses without end",
      bad: [.repeat(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), count: 1_000_000), .hold],
      reason: "more than 32 informational"),
    .init(
      name: "early hints without end",
      bad: [.repeat(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8), count: 1_000_000), .hold],
      reason: "more than 32 informational"),
    .init(
      name: "trailers without end",
      bad: [
        .text(head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n"),
        .repeat(Array("X-A: 1\r\n".utf8), count: 1_000_000), .hold,
      ], reason: "more than 1000 header fields"),
    .init(
      name: "large trailers without end",
      bad: [
        .text(head("Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n"),
        .repeat(Array("X-A: ".utf8) + letters(3_000) + [13, 10], count: 20_000), .hold,
      ], reason: "more than 262144 bytes of header"),
    .init(
      name: "a declared body beyond the limit", bad: [.text(head("Content-Length: 1001")), .hold],
      reason: "larger than 1000 bytes (max_bytes)",
      good: [.text(head("Content-Length: 1000")), .send(letters(1_000))], body: String(repeating: "x", count: 1_000),
      adjust: { $0.maxBodyBytes = 1_000 }),
    .init(
      name: "chunks without end",
      bad: [
        .text(head("Transfer-Encoding: chunked")),
        .repeat(Array("64\r\n".utf8) + letters(100) + [13, 10], count: 1_000_000),
      ],
      reason: "larger than 1000 bytes (max_bytes)", adjust: { $0.maxBodyBytes = 1_000 }),
    .init(
      name: "a close-delimited body without end", bad: [.text(head()), .repeat(letters(65_536), count: 10_000), .hold],
      reason: "larger than 1000000 bytes (max_bytes)", adjust: { $0.maxBodyBytes = 1_000_000 }),
  ]

  static func letters(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "x"), count: count) }

  private static func many(_ count: Int) -> String { (0..<count).map { "X-\($0): 1" }.joined(separator: "\r\n") }

  private static func wide(_ count: Int) -> String {
    (0..<count).map { "X-\($0): " + String(repeating: "x", count: 60_000) }.joined(separator: "\r\n")
  }
}
