import FlowModel
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
    let format = ResponseFormat(.csv) { $0.packings = [packing] }
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
      let format = ResponseFormat(.lines) { $0.packings = [packing] }
      let decoding = await Decoding.of(body, as: format, maxBytes: 64 << 10)
      #expect(decoding.error == "the response unpacks to more than 65536 bytes (max_bytes)")
    }
  }

  private static let zip = ResponseFormat(.csv) { $0.packings = [.zip] }
  private static let members: [Zip.Member] = [
    .init("data/", "").with { $0.isDeflated = false }, .init("data/a.csv", "id,name\n1,a\n"),
    .init("read.me", "not a table, really\n").with { $0.isDeflated = false },
    .init("data/b.csv", "name,id\r\nb,2").with { ($0.isDeflated, $0.hasDescriptor) = (true, true) },
    .init("c.csv", "id,name\n").with { $0.isDeflated = false },
  ]
  private static let tables = ResponseFormat(.csv) { ($0.packings, $0.members) = ([.zip], "*.csv") }
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
        "the member 'a.csv' of the zip archive cannot be read: its checksum or its size does not match its content"
      ),
      (
        .init("a.csv", Self.table).with { ($0.isDeflated, $0.hasDescriptor) = (false, true) },
        "the member 'a.csv' of the zip archive cannot be read: it is not compressed, and its size is not given "
          + "before its content"
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

  // MARK: - Packings in packings

  private static let packed = ResponseFormat(.csv) { ($0.packings, $0.members) = ([.zip, .gzip], "*.gz") }

  private static func files() throws -> [Zip.Member] {
    let (first, second) = (try gzipped(Array("id,name\n1,a\n".utf8)), try gzipped(Array("name,id\r\nb,2".utf8)))
    return [
      .init("a.gz", "").with { ($0.content, $0.isDeflated) = (first, false) }, .init("read.me", "not compressed"),
      .init("b.gz", "").with { ($0.content, $0.hasDescriptor) = (second, true) },
      .init("c.gz", "").with { $0.content = first },
    ]
  }

  @Test func `members that are compressed files are read one after the other, whatever the chunks`() async throws {
    let bytes = try Zip.bytes(try Self.files())
    for chunk in 1...bytes.count {
      #expect(
        await Decoding.of(bytes, as: Self.packed, chunk: chunk)
          == Decoding(records: Self.merged + Self.merged.prefix(1)))
    }
    for end in 0..<bytes.count {
      #expect(await Decoding.of(Array(bytes[..<end]), as: Self.packed).error != nil, "\(end)")
    }
  }

  @Test func `a member that is large is read in pieces`() async throws {
    let rows = (0..<200_000).map { "\($0),\($0 * 7919 % 10007)" }
    let file = try gzipped(Array(("id,name\n" + rows.joined(separator: "\n")).utf8))
    let bytes = try Zip.bytes([.init("a.gz", "").with { ($0.content, $0.isDeflated) = (file, false) }])
    let decoding = await Decoding.of(bytes, as: Self.packed)
    #expect(decoding.error == nil && decoding.records.count == rows.count)
    #expect(decoding.records.last == #"{"id":"199999","name":"\#(199_999 * 7919 % 10007)"}"#)
  }

  @Test func `packings are opened from the outside`() async throws {
    let inner = try gzipped(Array(Self.table.utf8), .zstd)
    let outer = try gzipped(inner)
    let two = ResponseFormat(.csv) { $0.packings = [.gzip, .zstd] }
    let three = ResponseFormat(.csv) { $0.packings = [.zip, .gzip, .zstd] }
    let archive = try Zip.bytes([.init("a", "").with { $0.content = outer }])
    for chunk in [1, 7, 65536] {
      #expect(await Decoding.of(outer, as: two, chunk: chunk) == Decoding(records: Self.records))
      #expect(await Decoding.of(archive, as: three, chunk: chunk) == Decoding(records: Self.records))
    }
    let other = await Decoding.of(try gzipped(Array(Self.table.utf8)), as: two)
    #expect(other.error?.hasPrefix("the response cannot be unpacked as a Zstandard file: ") ?? false)
  }

  @Test func `a member that is no compressed file, or a part of one, is an error with its name`() async throws {
    let whole = try gzipped(Array(Self.table.utf8))
    let cases: [([UInt8], String)] = [
      (Array(whole.dropLast()), "cannot be unpacked as a gzip file: the gzip data ends too early"),
      (Array(whole.prefix(4)), "cannot be unpacked as a gzip file: the gzip data ends too early"),
      ([], "is empty where a gzip file should be"),
      (Array("id,name\n1,a\n".utf8), "cannot be unpacked as a gzip file: "),
      (whole + [1, 2, 3], "cannot be unpacked as a gzip file: "),
    ]
    for (content, message) in cases {
      let members = try Self.files().prefix(1) + [.init("x.gz", "").with { $0.content = content }]
      for rest in [[], try Array(Self.files().suffix(1))] {
        let error = await Decoding.of(try Zip.bytes(members + rest), as: Self.packed).error
        #expect(error?.hasPrefix("the member 'x.gz' of the zip archive \(message)") ?? false, "\(error ?? "none")")
      }
    }
  }

  @Test func `bytes of all packings count for the limit`() async throws {
    let bomb = try gzipped([UInt8](repeating: 0x0A, count: 4 << 20))
    let lines = ResponseFormat(.lines) { $0.packings = [.zip, .gzip] }
    let message = "the response unpacks to more than 65536 bytes (max_bytes)"
    let one = try Zip.bytes([.init("a", "").with { $0.content = bomb }])
    #expect(await Decoding.of(one, as: lines, maxBytes: 64 << 10).error == message)
    let inner = try gzipped(try gzipped([UInt8](repeating: 0x0A, count: 4 << 20), .zstd))
    #expect(
      await Decoding.of(
        inner, as: ResponseFormat(.lines) { $0.packings = [.gzip, .zstd] }, maxBytes: 1 << 10
      ).error == "the response unpacks to more than 1024 bytes (max_bytes)")
    // Each of these is small; together they are not, and neither are a file and what is in it.
    let small = try gzipped([UInt8](repeating: 0x0A, count: 40 << 10))
    let members = ["a", "b"].map { Zip.Member($0, "").with { $0.content = small } }
    #expect(await Decoding.of(try Zip.bytes(members), as: lines, maxBytes: 64 << 10).error == message)
    let single = try Zip.bytes(Array(members.prefix(1)))
    #expect(await Decoding.of(single, as: lines, maxBytes: (40 << 10) + small.count).error == nil)
    #expect(await Decoding.of(single, as: lines, maxBytes: (40 << 10) + small.count - 1).error != nil)
  }

  @Test func `the words of a format are those that persisted results were stored with`() {
    #expect(ResponseFormat(.jsonLines) { $0.packings = [.gzip] }.words == "jsonl, in a gzip file")
    #expect(ResponseFormat(.jsonLines) { $0.packings = [.zip] }.words == "jsonl, in members of a zip archive")
    #expect(
      ResponseFormat(.jsonLines) { ($0.packings, $0.members) = ([.zip, .gzip], "*.gz") }.words
        == "jsonl, in a gzip file, in members of a zip archive named *.gz")
  }

  @Test func `one document is read from one member`() async throws {
    let json = ResponseFormat(.json) { $0.packings = [.zip] }
    let one = try Zip.bytes([.init("a.json", "{\"data\":[{\"id\":1}]}")])
    #expect(await Decoding.of(one, as: json, at: ["data"]) == Decoding(records: [#"{"id":1}"#]))
    let two = try Zip.bytes([.init("a.json", "[]"), .init("b.json", "[]")])
    let decoding = await Decoding.of(two, as: json)
    #expect(
      decoding.error
        == "the zip archive has several members to read, 'a.json' and 'b.json', and JSON is read from one")
    let xml = ResponseFormat(.xml) { ($0.packings, $0.members) = ([.zip], "b/*.xml") }
    let archive = try Zip.bytes([.init("a/x.xml", "<a/>"), .init("b/y.xml", "<a><e>1</e></a>")])
    #expect(await Decoding.of(archive, as: xml, at: ["a", "e"]) == Decoding(records: [#""1""#]))
  }
}
