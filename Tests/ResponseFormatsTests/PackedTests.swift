import FlowTerms
import StreamCompression
import Testing

@Suite struct PackedTests {
  private static let table = "id,name\n1,a\n2,b\n"
  private static let records = [#"{"id":"1","name":"a"}"#, #"{"id":"2","name":"b"}"#]

  @Test(arguments: [ResponseFormat.Packing.gzip, .zstd])
  func `compressed files are read whatever the chunks, and a part of one is an error`(
    _ packing: ResponseFormat.Packing
  ) async throws {
    let bytes = try gzipped(Array(Self.table.utf8), packing == .gzip ? .gzip : .zstd)
    let format = ResponseFormat(.csv) { $0.packing = packing }
    for chunk in 1...bytes.count {
      #expect(await Decoding.of(bytes, as: format, chunk: chunk) == Decoding(records: Self.records))
    }
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: format)
      #expect(decoding.error != nil, "\(end): \(decoding)")
    }
    #expect(
      await Decoding.of("id,name\n", as: format).error?.hasPrefix("the response cannot be unpacked as a ") ?? false)
  }

  @Test func `bytes that unpack to more than the limit are an error`() async throws {
    let bomb = try gzipped([UInt8](repeating: 0x0A, count: 4 << 20))
    for packing in [ResponseFormat.Packing.gzip, .zip] {
      let body = packing == .gzip ? bomb : try Zip.bytes([.init("a", String(repeating: "\n", count: 4 << 20))])
      let format = ResponseFormat(.lines) { $0.packing = packing }
      let decoding = await Decoding.of(body, as: format, maxBytes: 64 << 10)
      #expect(decoding.error == "the response unpacks to more than 65536 bytes (max_bytes)")
    }
  }

  private static let zip = ResponseFormat(.csv) { $0.packing = .zip }
  private static let members: [Zip.Member] = [
    .init("data/", "").with { $0.isDeflated = false }, .init("data/a.csv", "id,name\n1,a\n"),
    .init("read.me", "not a table, really\n").with { $0.isDeflated = false },
    .init("data/b.csv", "name,id\r\nb,2").with { ($0.isDeflated, $0.hasDescriptor) = (true, true) },
    .init("c.csv", "id,name\n").with { $0.isDeflated = false },
  ]
  private static let tables = ResponseFormat(.csv) { ($0.packing, $0.members) = (.zip, "*.csv") }
  private static let merged = [#"{"id":"1","name":"a"}"#, #"{"name":"b","id":"2"}"#]

  @Test func `members are read one after the other, each with its header, whatever the chunks`() async throws {
    let bytes = try Zip.bytes(Self.members)
    for chunk in 1...bytes.count {
      #expect(await Decoding.of(bytes, as: Self.tables, chunk: chunk) == Decoding(records: Self.merged))
    }
  }

  @Test func `a part of an archive is an error`() async throws {
    let bytes = try Zip.bytes(Self.members)
    for end in 0..<bytes.count {
      let decoding = await Decoding.of(Array(bytes[..<end]), as: Self.tables)
      #expect(decoding.error != nil, "\(end): \(decoding)")
    }
  }

  @Test func `a changed byte is an error or changes nothing`() async throws {
    let bytes = try Zip.bytes(Self.members)
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x41
      let decoding = await Decoding.of(changed, as: Self.tables)
      // Without an error, a member whose name was changed may be missing, but no record is wrong.
      #expect(decoding.error != nil || Set(Self.merged).isSuperset(of: decoding.records), "\(index): \(decoding)")
    }
  }

  @Test func `members that cannot be read are errors with their name`() async throws {
    let cases: [(Zip.Member, String)] = [
      (
        .init("a.csv", Self.table).with { $0.flags = 1 },
        "the member 'a.csv' of the zip archive cannot be read: it is encrypted"
      ),
      (
        .init("a.csv", Self.table).with { $0.checksum = 1 },
        "the member 'a.csv' of the zip archive cannot be read: its checksum or its size differs from its content's"
      ),
      (
        .init("a.csv", Self.table).with { ($0.isDeflated, $0.hasDescriptor) = (false, true) },
        "the member 'a.csv' of the zip archive cannot be read: its size is not before its content, and it is not "
          + "compressed"
      ),
    ]
    for (member, message) in cases {
      #expect(await Decoding.of(try Zip.bytes([member]), as: Self.zip).error == message)
    }
    // An encrypted member that is not wanted is skipped.
    let skipped = try Zip.bytes([.init("x.txt", "?").with { $0.flags = 1 }, .init("a.csv", Self.table)])
    #expect(await Decoding.of(skipped, as: Self.tables) == Decoding(records: Self.records))
  }

  @Test func `an archive without the member, and other bytes, are errors`() async throws {
    let none = await Decoding.of(try Zip.bytes([.init("a.txt", "x")]), as: Self.tables)
    #expect(
      none.error == "the zip archive has no member that matches '*.csv'" && none.help == "its members are 'a.txt'")
    #expect(await Decoding.of("id,name\n", as: Self.zip).error?.hasPrefix("the response is not a zip archive") ?? false)
    #expect(await Decoding.of("", as: Self.zip).error == "the response is empty where a zip archive should be")
  }

  @Test func `one document is read from one member`() async throws {
    let json = ResponseFormat(.json) { $0.packing = .zip }
    let one = try Zip.bytes([.init("a.json", "{\"data\":[{\"id\":1}]}")])
    #expect(await Decoding.of(one, as: json, at: ["data"]) == Decoding(records: [#"{"id":1}"#]))
    let two = try Zip.bytes([.init("a.json", "[]"), .init("b.json", "[]")])
    let decoding = await Decoding.of(two, as: json)
    #expect(
      decoding.error
        == "the zip archive has several members to read, 'a.json' and 'b.json', and JSON is read from one")
    let xml = ResponseFormat(.xml) { ($0.packing, $0.members) = (.zip, "b/*.xml") }
    let archive = try Zip.bytes([.init("a/x.xml", "<a/>"), .init("b/y.xml", "<a><e>1</e></a>")])
    #expect(await Decoding.of(archive, as: xml, at: ["a", "e"]) == Decoding(records: [#""1""#]))
  }
}
