import Fixtures
import Foundation
import ReactorCore
import StreamCompression
import Testing

@Suite struct ScrubberTests {
  static let secrets = [
    "s3cr3t-t0ken", "with space & ampersand", "quote\"back\\slash/", "ümläut-π-token", "a+b/c=d==", "user:p@ss/w%rd",
    "line one\nline two", "{\"json\":true}", "0123456789abcdef0123456789abcdef", "<xml attr='1'>",
  ]

  private let base: FixtureBase

  init() throws { base = try FixtureBase(parsing: "http://127.0.0.1:8471/v2") }

  /// How servers send a token back.
  static let echoes: [(name: String, make: @Sendable (String) -> String)] = [
    ("plain", { $0 }), ("in a sentence", { "your token is '\($0)', keep it" }),
    ("base64", { Data($0.utf8).base64EncodedString() }),
    ("base64 behind a user", { Data(("user:" + $0).utf8).base64EncodedString() }),
    ("base64 between", { Data(("x" + $0 + "yz").utf8).base64EncodedString() }),
    (
      "base64 for URLs",
      {
        Data($0.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_")
      }
    ),
    (
      "base64 in a URL",
      { Data($0.utf8).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
    ),
    ("percent-encoded", { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }),
    ("percent-encoded as a query", { $0.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "" }),
    (
      "percent-encoded twice",
      {
        ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
          .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      }
    ),
    (
      "a form",
      {
        ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "").replacingOccurrences(
          of: "%20", with: "+")
      }
    ),
    ("JSON", { (try? JSONSerialization.data(withJSONObject: [$0])).map { String(decoding: $0, as: UTF8.self) } ?? "" }),
    (
      "JSON in ASCII",
      {
        "\""
          + $0.utf16.map {
            $0 < 0x20 || $0 > 0x7E
              ? String(format: "\\u%04x", $0)
              : $0 == 0x22 || $0 == 0x5C ? "\\" + String(UnicodeScalar(UInt8($0))) : String(UnicodeScalar(UInt8($0)))
          }.joined() + "\""
      }
    ),
    ("hexadecimal", { $0.utf8.map { String(format: "%02x", $0) }.joined() }),
    ("hexadecimal, upper case", { $0.utf8.map { String(format: "%02X", $0) }.joined() }),
    ("in other letters", { $0.uppercased() }),
  ]

  @Test(arguments: secrets) func `no echo of a secret is left`(_ secret: String) {
    let scrubber = Scrubber(bases: [base], secrets: ["TOKEN": secret])
    let scan = SecretScan(["TOKEN": secret])
    for (name, make) in Self.echoes {
      // Letters beyond ASCII are not folded: another text then.
      if name == "in other letters", secret.utf8.contains(where: { $0 > 0x7F }) { continue }
      let text = make(secret)
      #expect(!scan.survivors(in: Array(text.utf8)).isEmpty, "the scan must see it before: \(name) of \(secret)")
      let scrubbed = scrubber.scrub(Array(text.utf8))
      let shown = String(decoding: scrubbed, as: UTF8.self)
      #expect(shown.contains("{{secret:TOKEN}}"), "\(name) of \(secret): \(shown)")
      #expect(scan.survivors(in: scrubbed).isEmpty, "\(name) of \(secret): \(shown)")
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1:8471/v2/a", "{{base}}/v2/a"), ("http:\\/\\/127.0.0.1:8471\\/v2", "{{base|json}}\\/v2"),
    ("http%3A%2F%2F127.0.0.1%3A8471%2Fv2", "{{base|percent}}%2Fv2"), ("Host: 127.0.0.1:8471", "Host: {{base|host}}"),
    ("http://127.0.0.1:84710/", "http://127.0.0.1:84710/"), ("1127.0.0.1:8471", "1127.0.0.1:8471"),
    ("{{base}} as text", "{{literal}}base}} as text"), ("{{secret:X}}", "{{literal}}secret:X}}"),
    ("{{literal}}", "{{literal}}literal}}"), ("{{ vars.x }}", "{{ vars.x }}"), ("nothing", "nothing"),
  ])
  func `a server's address becomes a mark and comes back`(_ text: String, _ scrubbed: String) {
    let scrubber = Scrubber(bases: [base])
    #expect(scrubber.scrub(text) == scrubbed)
    #expect(scrubber.restore(scrubbed) == text)
    #expect(scrubber.restore(scrubber.scrub(Array(text.utf8))) == Array(text.utf8))
  }

  @Test func `a replay's server may be another one`() throws {
    let other = FixtureBase(url: try BaseURL(parsing: "https://api.example.com"))
    let text = Scrubber(bases: [base]).scrub("see http://127.0.0.1:8471/next?u=http%3A%2F%2F127.0.0.1%3A8471%2F")
    #expect(
      Scrubber(bases: [other]).restore(text) == "see https://api.example.com/next?u=https%3A%2F%2Fapi.example.com%2F")
  }

  @Test func `marks in responses of a replay stay marks`() {
    let scrubber = Scrubber(bases: [base], secrets: ["A": "{{secret:A}}"], keepsMarks: true)
    #expect(scrubber.scrub("x {{secret:A}} {{secret:learnt}}") == "x {{secret:A}} {{secret:learnt}}")
  }

  @Test(arguments: ["\n", "\r\n", "\\n"], [60, 64, 76])
  func `base64 that is cut into lines leaves nothing of a secret`(_ end: String, _ width: Int) {
    let secret = "correct horse battery staple 4711"
    let scrubber = Scrubber(bases: [], secrets: ["T": secret])
    for before in 0..<80 {
      let text = Data((String(repeating: "x", count: before) + secret + String(repeating: "y", count: 60)).utf8)
        .base64EncodedString()
      let lines = stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
      let whole = Array(lines.joined(separator: end).utf8)
      #expect(SecretScan(["T": secret]).survivors(in: whole) == ["T"])
      let scrubbed = scrubber.scrub(whole)
      #expect(String(decoding: scrubbed, as: UTF8.self).contains("{{secret:T}}"), "\(before)")
      #expect(SecretScan(["T": secret]).survivors(in: scrubbed) == [], "\(before)")
    }
  }

  @Test func `a secret within packed data is found`() throws {
    let text = Array("{\"tok\":\"correct horse battery\"}".utf8)
    let scan = SecretScan(["T": "correct horse battery", "U": "another one"])
    let gzip = try Compressor(.gzip).finish(text[...])
    let twice = try Compressor(.gzip).finish(gzip[...])
    let zstd = try Compressor(.zstd).finish(text[...])
    for packed in [gzip, twice, zstd, gzip.dropLast(4) + []] { #expect(scan.survivors(in: packed) == ["T"]) }
    // A member of an archive: a local header, then a raw stream.
    let raw = Array(gzip.dropFirst(10).dropLast(8))
    let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 16) + [1, 0, 0, 0, 0x61]
    #expect(scan.survivors(in: head + raw) == ["T"])
    #expect(scan.survivors(in: try Compressor(.gzip).finish(Array("nothing".utf8)[...])) == [])
  }

  @Test func `packed data that multiply are unpacked up to a bound, all together`() throws {
    let mebibyte = try Compressor(.gzip).finish([UInt8](repeating: 0, count: 1 << 20)[...])
    let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 20)
    let member = head + mebibyte.dropFirst(10).dropLast(8)
    let archive = (0..<200).flatMap { _ in member }
    for bytes in [archive, try Compressor(.zstd).finish(archive[...])] {
      let unpacked = PackedContent(of: bytes).found.reduce(0) { $0 + $1.count }
      #expect(unpacked > 60 << 20 && unpacked < PackedContent.most + 1 << 20, "\(unpacked)")
    }
  }

  @Test func `short secrets are not looked for`() {
    #expect(Scrubber(bases: [], secrets: ["A": "abc"]).scrub("abcabc") == "abcabc")
  }
}
