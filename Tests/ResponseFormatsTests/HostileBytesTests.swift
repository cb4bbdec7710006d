import FlowModel
import JSONSyntax
import StreamCompression
import TestSupport
import Testing

/// Bodies with damage of any kind: they end, and give the same whatever the chunks.
@Suite(.timeLimit(.minutes(2))) struct HostileBytesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var body: [UInt8]
    var format: ResponseFormat
    var path: [String] = []
    var testDescription: String { name }
  }

  static let samples: [Sample] = {
    let table = Array("id,name\r\n1,\"a \"\"b\"\", c\"\n2,\r\n\"3\nx\",é\n".utf8)
    let lines = Array("{\"id\":1,\"s\":[\"a\\n\",null]}\r\n\n42\n{\"id\":2}\n".utf8)
    let wide = "a\tb\n1\t\u{1F600}\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    var samples = [
      Sample(name: "csv", body: table, format: .init(.csv)),
      Sample(
        name: "utf-16", body: [0xFF, 0xFE] + wide,
        format: ResponseFormat(.tsv) { $0.encoding = .utf16 }),
      Sample(name: "jsonl", body: lines, format: .init(.jsonLines)),
      Sample(
        name: "json_seq", body: Array("\u{1E}{\"id\":1}\n\u{1E}[2]\n\u{1E}3\n".utf8), format: .init(.jsonSequence)),
      Sample(name: "lines", body: table, format: .init(.lines)),
      Sample(
        name: "xml",
        body: Array("<?xml version='1.0'?><f a='1'><e b='&lt;'>x<c/></e><e><![CDATA[y]]></e><n/></f>".utf8),
        format: .init(.xml), path: ["f", "e"]),
    ]
    if let gzip = try? gzipped(lines) {
      samples.append(
        Sample(name: "gzip", body: gzip, format: ResponseFormat(.jsonLines) { $0.packings = [.gzip] }))
    }
    if let zip = try? Zip.bytes([
      .init("a.csv", "id\n1\n").with { $0.hasDescriptor = true },
      .init("b.csv", "id\n2\n").with { $0.isDeflated = false },
    ]) {
      samples.append(Sample(name: "zip", body: zip, format: ResponseFormat(.csv) { $0.packings = [.zip] }))
    }
    if let first = try? gzipped(Array("id\n1\n".utf8)), let second = try? gzipped(Array("id\n2\n".utf8)),
      let zip = try? Zip.bytes([
        .init("a.gz", "").with { ($0.content, $0.isDeflated) = (first, false) },
        .init("b.gz", "").with { ($0.content, $0.hasDescriptor) = (second, true) },
      ])
    {
      samples.append(
        Sample(name: "gzip in zip", body: zip, format: ResponseFormat(.csv) { $0.packings = [.zip, .gzip] }))
    }
    return samples
  }()

  @Test(arguments: samples) func `damage gives an error or records, the same for all chunks`(_ sample: Sample) async {
    var random = SeededGenerator(7)
    let special: [UInt8] = [0x00, 0x0A, 0x0D, 0x1E, 0x22, 0x2C, 0x3C, 0x3E, 0x5B, 0x7B, 0x7D, 0x80, 0xEF, 0xFF]
    for _ in 0..<400 {
      var body = sample.body
      for _ in 0..<Int.random(in: 1...4, using: &random) where !body.isEmpty {
        let index = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: body[index] = special.randomElement(using: &random) ?? 0
        case 1: body.insert(special.randomElement(using: &random) ?? 0, at: index)
        case 2: body.removeSubrange(index..<min(index + Int.random(in: 1...9, using: &random), body.count))
        default: body.insert(contentsOf: body[index...].prefix(20), at: index)
        }
      }
      let whole = await Decoding.of(body, as: sample.format, at: sample.path)
      let pieces = await Decoding.of(
        body, as: sample.format, at: sample.path, chunk: Int.random(in: 1...7, using: &random))
      #expect((whole.error == nil) == (pieces.error == nil), "\(body): \(whole) - \(pieces)")
      if whole.error == nil { #expect(whole == pieces, "\(body)") }
    }
  }
}
