import Foundation
import ReactorCore
import Storage
import Testing

@Suite struct StoredFileTests {
  @Test(arguments: [0, 1, 4096, 1_000_003])
  func `a file is read in chunks of any size`(_ size: Int) async throws {
    let scratch = try Scratch()
    let content = [UInt8].noise(size)
    try Data(content).write(to: URL(fileURLWithPath: scratch.path("x.json")))
    let file = try #require(try await scratch.root().open(try .good("x.json")))
    #expect(file.size == Int64(size))
    for chunkSize in [1 << 22, 65_536, 9_999] {
      var reader = file.reader(chunkSize: chunkSize)
      var all: [UInt8] = []
      while let chunk = try await reader.next() {
        #expect(chunk.count <= chunkSize)
        all += chunk
      }
      #expect(all == content)
    }
    let fingerprint = try await file.fingerprint()
    #expect(fingerprint == (Int64(size), ContentHash.of(content)))
    #expect(try await file.bytes(from: Int64(size) + 5, count: 10) == [])
    #expect(try await file.bytes(from: -1, count: 10) == [])
  }

  @Test func `an open file stays what it was while another is published`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.json")
    let lock = try await root.lock(path)
    _ = try await lock.publish([UInt8]("old"), .at(1))
    let file = try #require(try await root.open(path))
    _ = try await lock.publish([UInt8]("brand new"), .at(2))
    #expect(try await file.bytes(from: 0, count: 100) == [UInt8]("old"))
  }

  @Test func `a file cut while it is read ends early`() async throws {
    let scratch = try Scratch()
    try scratch.write(String(repeating: "x", count: 100_000), to: "x.json")
    let file = try #require(try await scratch.root().open(try .good("x.json")))
    #expect(truncate(scratch.path("x.json"), 10) == 0)
    #expect(try await file.bytes(from: 0, count: 100_000).count == 10)
    #expect(try await file.fingerprint().size == 10)
    #expect(try await file.bytes(from: 50_000, count: 10) == [])
  }

  @Test func `one look tells what lies under a path and whether it is what was published`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.json")
    #expect(try await Self.look(root, path) == "absent")
    try scratch.write("by hand", to: "x.json")
    #expect(try await Self.look(root, path) == "unknown")
    let lock = try await root.lock(path)
    _ = try await lock.publish([UInt8]("content"), .at(7))
    #expect(try await Self.look(root, path) == "intact: content")
    #expect(try await Self.look(root, path, refusal: "too old") == "refused: too old")
    try scratch.write("contend", to: "x.json")
    #expect(try await Self.look(root, path) == "changed")
    try scratch.write("content, and more", to: "x.json")
    #expect(try await Self.look(root, path) == "changed")
    #expect(unlink(scratch.path("x.json")) == 0)
    #expect(try await Self.look(root, path) == "absent")
  }

  @Test func `what another root published is found, and what is not there is not asked of the journal`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let (path, other) = (try OutputPath.good("x.json"), try OutputPath.good("y.json"))
    _ = try await root.lock(path).publish([UInt8]("one"), .at(7))
    #expect(try await Self.look(root, path) == "intact: one")
    // This root has read the journal before the stamp came.
    #expect(try await Self.look(root, other) == "absent")
    _ = try await scratch.root().lock(other).publish([UInt8]("two"), .at(7))
    #expect(try await Self.look(root, other) == "intact: two")
    // A journal that cannot be read.
    #expect(rename(scratch.path(".reactor.stamps"), scratch.path("aside")) == 0)
    #expect(mkdir(scratch.path(".reactor.stamps"), 0o755) == 0)
    #expect(try await Self.look(scratch.root(), .good("z.json")) == "absent")
    await #expect(throws: ReactorError.self) { try await Self.look(scratch.root(), path) }
  }

  private static func look(_ root: OutputRoot, _ path: OutputPath, refusal: String? = nil) async throws -> String {
    switch try await root.lookUp(path, refusal: { $0.provenance.writtenAt == 7 ? refusal : "another stamp" }) {
    case .absent: return "absent"
    case .unknown: return "unknown"
    case .refused(let reason): return "refused: \(reason)"
    case .changed: return "changed"
    case .intact(let file, _):
      return "intact: \(String(decoding: try await file.bytes(from: 0, count: 100), as: UTF8.self))"
    }
  }
}
