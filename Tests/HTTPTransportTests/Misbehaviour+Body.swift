import Foundation
import HTTPTransport
import ReactorCore
import TestSupport

extension Misbehaviour {
  /// The text that all coded samples hold.
  static let text =
    #"{"flow":"customers","rows":[1,2,3],"note":"the quick brown fox jumps over the lazy dog, twice over the lazy dog"}"#
  static let gzip = bytes(
    "H4sIAAAAAAACA2XKORJAQBAAwK9MTTwJMl9RAta4d4c9rKP8HbG4+8J2log5quC8aLYOCa1Eh3mRUEpZSWjE8zt8z7CGQU1Qv8FAKzuMQS8OZGML"
      + "H8/VeUAjHYGPg+I/4P0ABDCPtXEAAAA=")
  static let zlib = bytes(
    "eJxlyjkSQEAQAMCvTE08CTJfUQLWuHeHPayj/B2xuPvCdpaIOargvGi2DgmtRId5kVBKWUloxPM7fM+whkFNUL/BQCs7jEEvDmRjCx/P1XlAIx2B"
      + "j4PiP+D9AH5cJu8=")
  static let deflate = bytes(
    "Zco5EkBAEADAr0xNPAkyX1EC1rh3hz2so/wdsbj7wnaWiDmq4Lxotg4JrUSHeZFQSllJaMTzO3zPsIZBTVC/wUArO4xBLw5kYwsfz9V5QCMdgY+D"
      + "4j/g/QA=")
  static let brotli = bytes(
    "G3AAAESzOWWb6v+hO2UHSBk45AT88yDQAGMMLPCQlUT4LuOjJ1FI642KxhbFs5Wj3EDxxJAU7nUBvBPpOl0jyulGewzzhuksVlRGn7wP8qlSGKCE"
      + "8Ac=")
  static let zstd = bytes(
    "KLUv/SRx7QIAsoUUGnBNc0BoCtrox9RahCJCPnz/f6t9sM9U9X9fEyNS2uohfigkUlia6HgVg2GKPp7atKehC6SwRjGxfIzrjY8guMABBseqPX1W"
      + "icyXYsjH7UuyJAIAPL0qwlJRZ2p6XQ==")
  /// 65,536 zeros in 96 bytes.
  static let zeros =
    bytes("H4sIAAAAAAACA+3BAQEAAACAkP6v7ggKAAAA") + [UInt8](repeating: 0, count: 60) + bytes("auuOl9cAAAEA")

  static func coded(_ coding: String, _ body: [UInt8]) -> [ScriptedServer.Step] {
    [.text(head("Content-Encoding: \(coding)", "Content-Length: \(body.count)")), .send(body)]
  }

  private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

  private static func changed(_ body: [UInt8], fromEnd offset: Int) -> [UInt8] {
    var body = body
    body[body.count - offset] ^= 0x40
    return body
  }

  private static func coding(
    _ name: String, _ coding: String, _ body: [UInt8], _ reason: String, good: [UInt8]
  ) -> Misbehaviour {
    Misbehaviour(name: name, bad: coded(coding, body), reason: reason, good: coded(coding, good), body: text)
  }

  static let codings: [Misbehaviour] = [
    coding("gzip cut in its trailer", "gzip", gzip.dropLast(1), "gzip body is cut short", good: gzip),
    coding("gzip cut after its data", "gzip", gzip.dropLast(8), "gzip body is cut short", good: gzip),
    coding("gzip cut in its data", "gzip", Array(gzip.prefix(24)), "gzip body is cut short", good: gzip),
    coding("gzip cut in its header", "x-gzip", Array(gzip.prefix(5)), "gzip body is cut short", good: gzip),
    coding("gzip with a wrong checksum", "gzip", changed(gzip, fromEnd: 8), "gzip body is damaged", good: gzip),
    coding("gzip with a wrong length", "gzip", changed(gzip, fromEnd: 4), "gzip body is damaged", good: gzip),
    coding("gzip with changed data", "GZIP", changed(gzip, fromEnd: 40), "gzip body is damaged", good: gzip),
    coding("gzip with something behind", "gzip", gzip + [0, 1, 2], "gzip body is damaged", good: gzip),
    coding("plain text called gzip", "gzip", Array(text.utf8), "gzip body is damaged", good: gzip),
    .init(
      name: "a second gzip member cut", bad: coded("gzip", gzip + gzip.dropLast(3)), reason: "gzip body is cut short",
      good: coded("gzip", gzip + gzip), body: text + text),
    .init(
      name: "gzip without a byte, ended by the connection", bad: [.text(head("Content-Encoding: gzip")), .close],
      reason: "cut short", good: [.text(head("Content-Encoding: gzip", "Content-Length: 0"))], body: ""),
    .init(
      name: "gzip cut with its connection",
      bad: [.text(head("Content-Encoding: gzip")), .send(Array(gzip.prefix(60))), .close], reason: "cut short",
      good: [.text(head("Content-Encoding: gzip")), .send(gzip), .close], body: text),
    coding("zlib cut in its checksum", "deflate", zlib.dropLast(2), "deflate body is cut short", good: zlib),
    coding("zlib with a wrong checksum", "deflate", changed(zlib, fromEnd: 1), "deflate body is damaged", good: zlib),
    coding("deflate cut", "deflate", deflate.dropLast(4), "deflate body is cut short", good: deflate),
    coding("deflate with something behind", "deflate", deflate + [1], "deflate body is damaged", good: deflate),
    coding("brotli cut", "br", brotli.dropLast(1), "br body is cut short", good: brotli),
    coding("brotli with something behind", "br", brotli + [1], "br body is damaged", good: brotli),
    coding("plain text called brotli", "br", Array(text.utf8), "br body is", good: brotli),
    coding("zstd cut in its checksum", "zstd", zstd.dropLast(1), "zstd body is cut short", good: zstd),
    coding("zstd cut in its data", "zstd", Array(zstd.prefix(30)), "zstd body is cut short", good: zstd),
    coding("zstd with a wrong checksum", "zstd", changed(zstd, fromEnd: 1), "zstd body is damaged", good: zstd),
    coding(
      "zstd that needs 128 MiB of window", "zstd", [0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x88] + zstd.dropFirst(6),
      "zstd body is damaged", good: zstd),
    coding("plain text called zstd", "zstd", Array(text.utf8), "zstd body is damaged", good: zstd),
    .init(
      name: "two codings in one field", bad: coded("gzip, gzip", gzip), reason: "more than one content-encoding",
      good: coded("identity, gzip", gzip), body: text),
    .init(
      name: "two codings in two fields",
      bad: [.text(head("Content-Encoding: br", "Content-Encoding: gzip", "Content-Length: 1") + "x")],
      reason: "more than one content-encoding"),
    .init(name: "an unknown coding", bad: coded("compress", gzip), reason: "cannot be decoded"),
    .init(
      name: "a gzip bomb", bad: coded("gzip", Array(repeatElement(zeros, count: 50).joined())),
      reason: "larger than 1000000 bytes once decoded", good: coded("gzip", gzip), body: text,
      adjust: { $0.maxBodyBytes = 1_000_000 }),
    .init(
      name: "a gzip bomb without end",
      bad: [.text(head("Content-Encoding: gzip")), .repeat(zeros, count: 1_000_000), .hold],
      reason: "larger than 10000000 bytes", adjust: { $0.maxBodyBytes = 10_000_000 }),
  ]

  static let times: [Misbehaviour] = [
    .init(
      name: "no response in time", bad: [.hold], reason: "within 0.4 s (timeout)", kind: .timeout,
      adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "a head byte by byte",
      bad: [.drip(Array(head("Content-Length: 5").utf8), everyMilliseconds: 50), .hold],
      reason: "within 0.4 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(400) }),
    .init(
      name: "a body byte by byte",
      bad: [.text(head("Content-Length: 500")), .drip(letters(500), everyMilliseconds: 50)],
      reason: "within 0.5 s (timeout)", kind: .timeout,
      good: [.text(head("Content-Length: 5")), .drip(Array("hello".utf8), everyMilliseconds: 5)],
      adjust: { $0.timeout = .milliseconds(500) }),
    .init(
      name: "chunk extensions without end",
      bad: [.text(head("Transfer-Encoding: chunked") + "5;"), .repeat(letters(1_000), count: 10_000_000)],
      reason: "within 0.5 s (timeout)", kind: .timeout, adjust: { $0.timeout = .milliseconds(500) }),
    .init(
      name: "a head and nothing more", bad: [.text(head("Content-Length: 500")), .hold],
      reason: "fewer than 100 bytes per second for 1 s", kind: .timeout, adjust: { $0.lowSpeedTime = .seconds(1) }),
    .init(
      name: "a body that stalls", bad: [.text(head("Content-Length: 500") + "x"), .hold],
      reason: "fewer than 100 bytes per second for 1 s", kind: .timeout, adjust: { $0.lowSpeedTime = .seconds(1) }),
  ]
}
