import Foundation
import ReactorCore
import Storage
import StreamCompression
import Testing

@Suite struct CompressedFileTests {
  private static let endings = ["jsonl.gz", "jsonl.zst"]

  /// Lines that compress as records do.
  private static func lines(_ count: Int) -> [UInt8] {
    Array((0..<count).map { "{\"id\":\($0),\"name\":\"Somebody \($0 % 97)\"}\n" }.joined().utf8)
  }

  private static func content(_ file: StoredFile) async throws(ReactorError) -> [UInt8] {
    let content = file.content()
    var bytes: [UInt8] = []
    while let piece = try await content.next() { bytes += piece }
    return bytes
  }

  @Test(arguments: endings, [0, 1, 70_000])
  func `content is stored compressed, whatever its pieces, and other programs can read it`(
    _ ending: String, _ count: Int
  ) async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let bytes = Self.lines(count) + [UInt8].noise(count == 0 ? 0 : 100_000)
    let first = try OutputPath.good("first.\(ending)")
    #expect(try await root.lock(first).publish(bytes, .at(1)).change == .created)
    for size in [1000, 65_537, 3 << 20] {
      let path = try OutputPath.good("x\(size).\(ending)")
      let lock = try await root.lock(path)
      let staged = lock.stage()
      for start in stride(from: 0, to: bytes.count, by: size) {
        try await staged.write(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      let publication = try await staged.publish(.at(1))
      let file = try #require(try await root.open(path))
      #expect(try await Self.content(file) == bytes)
      #expect(try await file.beginning(10) == Array(bytes.prefix(10)))
      #expect(file.size == publication.size && (count < 100 || file.size * 4 < bytes.count))
      #expect(scratch.data(path.text) == scratch.data(first.text))
      // The same content again changes nothing.
      #expect(try await lock.publish(bytes, .at(2)).change == .unchanged)
    }
    let program = ending.hasSuffix("gz") ? "gzip" : "zstd"
    guard run(program, "--version") == 0 else { return print("skipped: \(program) is not installed") }
    #expect(run(program, "-q", "-d", "-k", scratch.path(first.text)) == 0)
    #expect(scratch.data(first.text.split(separator: ".").dropLast().joined(separator: ".")) == bytes)
  }

  @Test func `a gzip file says neither when nor where it was made`() async throws {
    let scratch = try Scratch()
    _ = try await scratch.root().lock(try .good("x.csv.gz")).publish([UInt8]("a"), .at(1))
    // Magic number, deflate, no flags, no time, no level, unknown system (RFC 1952, section 2.3).
    #expect(scratch.data("x.csv.gz")?.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }

  @Test(arguments: endings)
  func `a file that was cut, changed or lengthened is an error, and never fewer records`(_ ending: String) async throws
  {
    let scratch = try Scratch()
    let root = scratch.root()
    let bytes = Self.lines(30)
    let path = try OutputPath.good("x.\(ending)")
    _ = try await root.lock(path).publish(bytes, .at(1))
    let whole = try #require(scratch.data(path.text))
    func content(of damaged: [UInt8]) async throws -> [UInt8]? {
      try Data(damaged).write(to: URL(fileURLWithPath: scratch.path(path.text)))
      let file = try #require(try await root.open(path))
      var read: [UInt8]?
      let error = await failure { () async throws(ReactorError) in read = try await Self.content(file) }
      if let error {
        #expect(error.kind == .persistence)
        #expect(error.message.hasSuffix(" (put the whole file back, or move it away)"), "\(error.message)")
      }
      return read
    }
    for count in whole.indices { #expect(try await content(of: Array(whole[..<count])) == nil, "cut to \(count)") }
    for index in whole.indices {
      var other = whole
      other[index] ^= 0x55
      // Some bits of the header say nothing about the content.
      let read = try await content(of: other)
      #expect(read == nil || read == bytes, "byte \(index)")
    }
    #expect(try await content(of: whole + [0]) == nil)
    #expect(try await content(of: whole + [UInt8]("more")) == nil)
    #expect(try await content(of: [UInt8]("{}\n")) == nil)
    // Members and frames may follow each other, as after `cat a.gz b.gz`.
    #expect(try await content(of: whole + whole) == bytes + bytes)
  }

  @Test(arguments: endings)
  func `what expands to very much is read piece by piece`(_ ending: String) async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.\(ending)")
    let staged = try await root.lock(path).stage()
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<64 { try await staged.write(zeros) }
    _ = try await staged.publish(.at(1))
    let file = try #require(try await root.open(path))
    #expect(file.size < 100_000)
    let content = file.content()
    var size = 0
    while let piece = try await content.next() {
      #expect(piece.count <= 256 << 10)
      size += piece.count
    }
    #expect(size == 64 << 20)
    #expect(try await file.beginning(3) == [0, 0, 0])
  }

  @Test(arguments: endings)
  func `a copy for reading anywhere ends at its limit`(_ ending: String) async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    for bytes in [Self.lines(20_000), []] {
      let path = try OutputPath.good("x\(bytes.count).\(ending)")
      let lock = try await root.lock(path)
      _ = try await lock.publish(bytes, .at(1))
      let file = try #require(try await root.open(path))
      let copy = try #require(try await file.seekable(in: lock.scratch(), upTo: Int64(bytes.count)))
      #expect(copy.size == Int64(bytes.count))
      #expect(try await copy.bytes(from: 5, count: 20) == Array(bytes.dropFirst(5).prefix(20)))
      if !bytes.isEmpty {
        #expect(try await file.seekable(in: lock.scratch(), upTo: Int64(bytes.count - 1)) == nil)
      }
      #expect(try scratch.names().filter { $0.contains("tmp") } == [])
    }
  }

  @Test func `a failure while compressing leaves nothing behind`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.jsonl.gz")
    _ = try await root.lock(path).publish([UInt8]("old"), .at(1))
    let lock = try await root.lock(path)
    let staged = lock.stage()
    try await staged.write([UInt8].noise(3 << 20))
    await staged.discard()
    lock.release()
    #expect(try await Self.content(try #require(try await root.open(path))) == [UInt8]("old"))
    #expect(try scratch.names().filter { $0.contains("tmp") } == [])
  }
}

extension Scratch {
  fileprivate func data(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { Array($0) }
  }
}
