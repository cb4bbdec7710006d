import Foundation
import ReactorCore
import Testing

@testable import Storage

@Suite struct StampTests {
  @Test(arguments: [
    nil, "", "-", "W/\"a\tb\n%\"", "\"日本\"", "%2d", "Wed, 21 Oct 2015 07:28:00 GMT",
    String(repeating: "x", count: 1024),
  ])
  func `a line gives back what it was made of`(_ text: String?) throws {
    let provenance = Provenance(
      writtenAt: 1_700_000_000_123, resource: .max, schema: 0, recordCount: 5, rejectedCount: 1, etag: text,
      lastModified: text)
    let stamp = Stamp(size: .max, hash: 0x0123_4567_89AB_CDEF, isDurable: true, provenance: provenance)
    let line = stamp.line(for: "a%\tb -.json")
    #expect(!line.contains(10))
    let parsed = try #require(Stamp.parse(line[...]))
    #expect(parsed.name == "a%\tb -.json")
    #expect(parsed.stamp == stamp)
  }

  @Test(arguments: [
    "=2024-01-01T00:00:00Z", "@0123456789abcdef", "-", "=a%\tb\n", "=" + String(repeating: "%", count: 1024),
  ])
  func `a line gives back the cursor that it ends with`(_ cursor: String) throws {
    var provenance = Provenance.at(1)
    let without = Stamp(size: 1, hash: 2, isDurable: true, provenance: provenance).line(for: "x")
    provenance.cursor = cursor
    let stamp = Stamp(size: 1, hash: 2, isDurable: true, provenance: provenance)
    let line = stamp.line(for: "x")
    #expect(Stamp.parse(line[...])?.stamp == stamp)
    #expect(line.count > without.count && line.count <= Stamp.maxLineBytes)
    // A cut line is none, even where what is left has as many fields as a line without a cursor.
    for count in 0..<line.count { #expect(Stamp.parse(line[..<count]) == nil) }
  }

  @Test func `a validator that is too long is left out, and times before 1970 are kept`() throws {
    var provenance = Provenance.at(-62_135_596_800_000)
    provenance.etag = String(repeating: "x", count: 1025)
    let line = Stamp(size: 0, hash: 0, isDurable: false, provenance: provenance).line(for: "x")
    provenance.etag = nil
    #expect(Stamp.parse(line[...])?.stamp.provenance == provenance)
  }

  @Test(arguments: [0, 9, 10, 99, 100, 1_234_567_890, .max])
  func `numbers are written in decimal digits`(_ number: Int64) {
    let line = Stamp(size: number, hash: 1, isDurable: true, provenance: .at(-number)).line(for: "x")
    let fields = String(decoding: line, as: UTF8.self).split(separator: "\t")
    #expect(fields[3] == String(number))
    #expect(fields[5] == String(-number))
  }

  @Test func `a line with a valid check but other fields is refused`() {
    func parse(_ body: String) -> Bool {
      let check = String(ContentHash.of(body.utf8), radix: 16)
      let padded = String(repeating: "0", count: 16 - check.count) + check
      return Stamp.parse(Array("r1\t\(padded)\t\(body)".utf8)[...]) != nil
    }
    let hash = "0123456789abcdef"
    #expect(parse("x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-"))
    for body in [
      "", "x", "x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-", "x\t-1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-",
      "x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\te\t-\t-", "x\t1\t\(hash)\t\t\(hash)\t\(hash)\t1\t1\td\t-\t-",
      "x\t99999999999999999999\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-",
      "x\t9223372036854775808\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-",
      "x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t-1\td\t-\t-", "x%2\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-",
      "x%ff\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-", "x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t%zz",
      "x\t1\t\(hash)\t1\t\(hash)\t\(hash)\t1\t1\td\t-\t-\t-",
    ] {
      #expect(!parse(body), "\(body)")
    }
  }

  private struct Ten {
    let scratch: Scratch
    let folder: FileDescriptor
    let stamps: [String: Stamp]
    let bytes: [UInt8]

    init() throws {
      scratch = try Scratch()
      folder = try FileDescriptor.open(scratch.folder, in: nil, flags: O_RDONLY | O_DIRECTORY)
      var journal = StampJournal(in: folder, at: scratch.folder)
      let locks = try LockFile(in: folder, at: scratch.folder)
      var stamps: [String: Stamp] = [:]
      for index in 0..<10 {
        var provenance = Provenance.at(Int64(index) * 1000)
        provenance.etag = index % 2 == 0 ? "\"\(index)%\"" : nil
        let stamp = Stamp(
          size: Int64(index), hash: UInt64(index) &* 0x9E37_79B1_85EB_CA87, isDurable: index % 3 == 0,
          provenance: provenance)
        stamps["\(index).json"] = stamp
        try journal.append([("\(index).json", stamp)], locks: locks, durability: .fast)
      }
      self.stamps = stamps
      bytes = Array(try #require(FileManager.default.contents(atPath: scratch.path(StampJournal.name))))
    }

    /// How many stamps a journal of these bytes gives; each must be the right one.
    func count(_ bytes: [UInt8]) throws -> Int {
      try Data(bytes).write(to: URL(fileURLWithPath: scratch.path(StampJournal.name)))
      var journal = StampJournal(in: folder, at: scratch.folder)
      var count = 0
      for (name, stamp) in stamps {
        guard let found = try journal.stamps(of: name).last else { continue }
        #expect(found == stamp)
        count += 1
      }
      return count
    }
  }

  @Test func `a journal that is removed or too long is made anew`() throws {
    let scratch = try Scratch()
    let folder = try FileDescriptor.open(scratch.folder, in: nil, flags: O_RDONLY | O_DIRECTORY)
    let (locks, other) = (
      try LockFile(in: folder, at: scratch.folder), try LockFile(in: folder, at: scratch.folder)
    )
    var journal = StampJournal(in: folder, at: scratch.folder)
    func append(_ index: Int) throws {
      let stamp = Stamp(size: Int64(index), hash: UInt64(index), isDurable: false, provenance: .at(Int64(index)))
      try scratch.write("", to: "x\(index % 3).json")
      try journal.append([("x\(index % 3).json", stamp)], locks: locks, durability: .fast)
    }
    try append(0)
    try FileManager.default.removeItem(atPath: scratch.path(StampJournal.name))
    try append(1)
    var reader = StampJournal(in: folder, at: scratch.folder)
    #expect(try reader.stamps(of: "x1.json").last?.size == 1)
    var longest = 0
    for index in 2..<600 {
      try append(index)
      longest = max(longest, try #require(FileManager.default.contents(atPath: scratch.path(StampJournal.name))).count)
    }
    let lines = try #require(scratch.text(StampJournal.name)).split(separator: "\n").count
    #expect(longest > 20_000 && lines < 300, "\(longest) bytes, then \(lines) lines")
    // While another one appends, nobody may replace it, and it grows on.
    #expect(try other.share(LockFile.offset(of: StampJournal.name)))
    for index in 600..<1200 { try append(index) }
    #expect(try #require(scratch.text(StampJournal.name)).split(separator: "\n").count > 600)
    other.release(LockFile.offset(of: StampJournal.name))
    try append(1200)
    #expect(try #require(scratch.text(StampJournal.name)).split(separator: "\n").count == 3)
  }

  @Test func `of a journal cut anywhere all whole lines count`() throws {
    let ten = try Ten()
    #expect(try ten.count(ten.bytes) == 10)
    for length in 0..<ten.bytes.count {
      let kept = ten.bytes[..<length]
      let wholeLines =
        kept.split(separator: 10, omittingEmptySubsequences: true).count
        - (kept.last == 10 || kept.isEmpty ? 0 : 1)
      #expect(try ten.count(Array(kept)) == wholeLines)
    }
  }

  @Test func `a changed byte costs the lines it touches and nothing more`() throws {
    let ten = try Ten()
    for location in ten.bytes.indices {
      var bytes = ten.bytes
      bytes[location] = location % 2 == 0 || bytes[location] == 10 ? bytes[location] ^ 1 : 10
      // Line ends come doubled, so a changed one is found beside another, and spoils one line at most.
      let count = try ten.count(bytes)
      #expect(ten.bytes[location] == 10 ? count >= 9 : count == 9, "byte \(location)")
    }
  }

  @Test func `a line with any byte changed is refused`() throws {
    let line = Stamp(size: 12, hash: 34, isDurable: true, provenance: .at(56)).line(for: "out.json")
    for location in line.indices {
      for value in stride(from: UInt8(0), through: 255, by: 17) where value != line[location] {
        var changed = line
        changed[location] = value
        #expect(Stamp.parse(changed[...])?.stamp == nil)
      }
    }
  }

  @Test func `garbage of any kind is passed over`() throws {
    let ten = try Ten()
    for garbage in [
      [UInt8].noise(100_000), [UInt8](repeating: 120, count: 60_000), [UInt8](repeating: 10, count: 30_000),
      [UInt8](repeating: 9, count: 50_000), [0xFF, 0xFE, 0],
    ] {
      #expect(try ten.count(garbage + ten.bytes) == 10)
      #expect(try ten.count(ten.bytes + garbage) == 10)
    }
  }

  @Test func `a torn end does not spoil what is added after it`() async throws {
    let scratch = try Scratch()
    try scratch.write("r1\t0123", to: StampJournal.name)
    let root = scratch.root()
    let path = try OutputPath.good("x.json")
    _ = try await root.lock(path).publish([1], .at(1))
    #expect(try await root.stamp(of: path)?.provenance == .at(1))
    #expect(try await scratch.root().stamp(of: path)?.provenance == .at(1))
  }

  @Test func `what other runs add is seen at the next look`() async throws {
    let scratch = try Scratch()
    let one = scratch.root()
    let other = scratch.root()
    let path = try OutputPath.good("x.json")
    for round in 0..<6 {
      let (writer, reader) = round % 2 == 0 ? (one, other) : (other, one)
      _ = try await writer.lock(path).publish([UInt8(round)], .at(Int64(round)))
      #expect(try await reader.stamp(of: path)?.provenance == .at(Int64(round)))
    }
    try FileManager.default.removeItem(atPath: scratch.path(StampJournal.name))
    #expect(try await one.stamp(of: path) == nil)
    _ = try await one.lock(path).publish([9], .at(9))
    #expect(try await other.stamp(of: path)?.provenance == .at(9))
  }

  @Test func `what another run added before an own stamp is read too`() async throws {
    let scratch = try Scratch()
    let (one, other) = (scratch.root(), scratch.root())
    let (own, foreign) = (try OutputPath.good("own.json"), try OutputPath.good("foreign.json"))
    _ = try await one.lock(own).publish([0], .at(0))
    for round in Int64(1)..<4 {
      // An own stamp alone is known without reading it; with a foreign one before it, both are read.
      _ = try await one.lock(own).publish([UInt8(round), 0], .at(round))
      #expect(try await one.stamp(of: own)?.provenance == .at(round))
      _ = try await other.lock(foreign).publish([UInt8(round)], .at(100 + round))
      _ = try await one.lock(own).publish([UInt8(round), 1], .at(10 + round))
      #expect(try await one.stamp(of: foreign)?.provenance == .at(100 + round))
      #expect(try await one.stamp(of: own)?.provenance == .at(10 + round))
      #expect(try await other.stamp(of: own)?.provenance == .at(10 + round))
    }
  }

  @Test func `a journal that was emptied in location is read anew`() async throws {
    let scratch = try Scratch()
    let one = scratch.root()
    let path = try OutputPath.good("x.json")
    let other = try OutputPath.good("y.json")
    _ = try await one.lock(path).publish([1], .at(1))
    _ = try await one.lock(other).publish([1], .at(1))
    #expect(truncate(scratch.path(StampJournal.name), 0) == 0)
    _ = try await scratch.root().lock(path).publish([2], .at(2))
    #expect(try await one.stamp(of: path)?.provenance == .at(2))
    #expect(try await one.stamp(of: other) == nil)
  }

  @Test func `a stamp speaks only of the content it was written for`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.json")
    _ = try await root.lock(path).publish([UInt8]("one"), .at(1))
    let stamp = try #require(try await root.stamp(of: path))
    #expect(try await root.open(path)?.matches(stamp) == true)
    try scratch.write("two", to: "x.json")
    #expect(try await root.open(path)?.matches(stamp) == false)
    try scratch.write("longer", to: "x.json")
    #expect(try await root.open(path)?.matches(stamp) == false)
  }

  @Test func `a stamp that was announced counts from the moment its content is there`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.json")
    func stamp(_ text: String, _ cursor: String) -> Stamp {
      var provenance = Provenance.at(1)
      provenance.cursor = cursor
      return Stamp(
        size: Int64(text.utf8.count), hash: ContentHash.of(text.utf8), isDurable: false, provenance: provenance)
    }
    var first = Provenance.at(1)
    first.cursor = "=1"
    _ = try await root.lock(path).publish([UInt8]("one"), first)
    let lines = try #require(scratch.text(StampJournal.name)).split(separator: "\n")
    #expect(lines.map { $0.split(separator: "\t")[10] } == ["a", "f"], "\(lines)")
    let folder = try #require(try root.folder(below: [], makes: false))
    // Killed before the new content was in place, twice.
    try folder.announce([("x.json", stamp("two", "=2"))])
    try folder.announce([("x.json", stamp("three", "=3"))])
    #expect(try await root.stamp(of: path)?.provenance.cursor == "=1")
    #expect(try await scratch.root().stamp(of: path)?.provenance.cursor == "=1")
    // Killed behind the rename.
    try scratch.write("three", to: "x.json")
    #expect(try await scratch.root().stamp(of: path)?.provenance.cursor == "=3")
    // The next one is announced, and killed before its rename: what was announced before is not forgotten.
    try folder.announce([("x.json", stamp("four", "=4"))])
    #expect(try await scratch.root().stamp(of: path)?.provenance.cursor == "=3")
    guard case .intact(_, let seen) = try await scratch.root().lookUp(path, refusal: { _ in Int?.none }) else {
      Issue.record("the content is not known")
      return
    }
    #expect(seen.provenance.cursor == "=3")
    // A content of nobody's making is nobody's.
    try scratch.write("other", to: "x.json")
    guard case .changed = try await scratch.root().lookUp(path, refusal: { _ in Int?.none }) else {
      Issue.record("the content is taken for one that was published")
      return
    }
  }

  @Test func `a content whose announcement cannot be written is not put in location`() async throws {
    let scratch = try Scratch()
    let path = try OutputPath.good("x.json")
    var provenance = Provenance.at(1)
    provenance.cursor = "=1"
    _ = try await scratch.root().lock(path).publish([UInt8]("one"), provenance)
    try FileManager.default.removeItem(atPath: scratch.path(StampJournal.name))
    try FileManager.default.createDirectory(atPath: scratch.path(StampJournal.name), withIntermediateDirectories: false)
    let failure = await #expect(throws: ReactorError.self) {
      try await scratch.root().lock(path).publish([UInt8]("two"), provenance)
    }
    #expect(failure?.path?.hasSuffix(StampJournal.name) == true)
    #expect(scratch.text("x.json") == "one")
    #expect(try scratch.names().filter { $0.contains("tmp") } == [])
  }

  @Test func `a journal that has grown is compacted while several append, and nothing is lost`() async throws {
    let scratch = try Scratch()
    let roots = [scratch.root(), scratch.root(), scratch.root()]
    _ = try await roots[0].lock(try .good("gone.json")).publish([0], .at(0))
    try FileManager.default.removeItem(atPath: scratch.path("gone.json"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, root) in roots.enumerated() {
        group.addTask {
          for round in 0..<400 {
            let path = try OutputPath.good("\(index)-\(round % 5).json")
            _ = try await root.lock(path).publish([UInt8(round % 7)], .at(Int64(round)))
          }
        }
      }
      try await group.waitForAll()
    }
    let text = try #require(scratch.text(StampJournal.name))
    #expect(text.split(separator: "\n").count < 300)
    let later = scratch.root()
    for index in 0..<3 {
      for name in 0..<5 {
        let stamp = try #require(try await later.stamp(of: try .good("\(index)-\(name).json")))
        #expect(stamp.provenance == .at(395 + Int64(name)))
      }
    }
    #expect(try await later.stamp(of: try .good("gone.json")) == nil)
    #expect(try scratch.names().filter { $0.contains("tmp") } == [])
  }
}
