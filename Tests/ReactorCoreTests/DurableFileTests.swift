import Foundation
import TestSupport
import Testing

@testable import ReactorCore

@Suite struct DurableFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) -> DurableFile { DurableFile(path: folder.file(name)) }

  @Test func `R-038 writing a file completes, with its parent folders`() throws {
    try file("a/b/c.json").write([1, 2, 3])
    #expect(FileManager.default.contents(atPath: folder.file("a/b/c.json")) == Data([1, 2, 3]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == ["c.json"])
  }

  @Test(arguments: [0, 1, 4096, 3_000_000])
  func `R-039 reading a written file yields the same bytes`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try file("a").write(bytes)
    #expect(try file("a").read(upTo: count) == bytes)
    if count > 0 { #expect(throws: ReactorError.self) { try file("a").read(upTo: count - 1) } }
  }

  // Upstream failed; nothing to read is told as nil, every other failure as an error.
  @Test func `R-040 reading a missing file gives nothing`() throws {
    #expect(try file("missing").read(upTo: 10) == nil)
    try file("a").write([])
    #expect(try file("a/below").read(upTo: 10) == nil)
    let error = #expect(throws: ReactorError.self) { try DurableFile(path: folder.path).read(upTo: 10) }
    #expect(error == .persistence("the file is not a regular file", path: folder.path))
  }

  @Test func `R-041 R-042 existence is false for a missing file and true for a written one`() throws {
    #expect(!file("a").exists)
    try file("a").write([1])
    #expect(file("a").exists)
    #expect(!DurableFile(path: folder.path).exists)
  }

  // Upstream asked the file system; the date is kept with the data here, since file times can be moved by a chmod.
  @Test func `R-043 the date of a missing file is none`() async {
    let disk = InDiskPersistence(parser: Parser(ModelMapping<Author>()), path: folder.file("missing"))
    #expect(await disk.savedAt(for: .articles) == nil)
    #expect(await disk.hasExpired(for: .articles))
  }

  @Test func `an existing file's mode is kept, and a shorter content replaces a longer one`() throws {
    try file("a").write([1, 2, 3])
    chmod(folder.file("a"), 0o640)
    try file("a").write([4])
    #expect(try file("a").read(upTo: 10) == [4])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `symbolic links, folders and pipes are refused and left alone`() throws {
    try file("target").write([1])
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("target"))
    #expect(throws: ReactorError.self) { try file("link").read(upTo: 10) }
    #expect(throws: ReactorError.self) { try file("link").write([2]) }
    #expect(try file("target").read(upTo: 10) == [1])
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(throws: ReactorError.self) { try file("pipe").read(upTo: 10) }
    #expect(throws: ReactorError.self) { try file("pipe").write([2]) }
    #expect(throws: ReactorError.self) { try DurableFile(path: folder.path).write([2]) }
    #expect(folder.names == ["link", "pipe", "target"])
  }

  @Test func `a folder that cannot be made is named`() throws {
    try file("plain").write([1])
    let error = #expect(throws: ReactorError.self) { try file("plain/x/y.json").write([1]) }
    #expect(error?.kind == .persistence)
    #expect(error?.path == folder.file("plain/x/y.json"))
    #expect(error?.message.contains("plain") == true)
  }

  @Test func `a replacement that fails names its cause and leaves no temporary file`() {
    // The temporary file's name is short enough; only the rename fails.
    let long = file(String(repeating: "n", count: 300))
    let error = #expect(throws: ReactorError.self) { try long.write([1]) }
    #expect(error == .persistence("the file cannot be replaced: File name too long", path: long.path))
    #expect(folder.names == [])
  }

  @Test func `a cancelled write leaves the old content and no temporary file`() async throws {
    try file("a").write([1])
    let file = file("a")
    let gate = Latch()
    let task = Task {
      await gate.wait()
      try file.write([2])
    }
    task.cancel()
    let result = await task.result
    #expect(throws: ReactorError.cancelled) { try result.get() }
    #expect(try file.read(upTo: 10) == [1])
    #expect(folder.names == ["a"])
  }

  @Test func `writers of one file at once leave one of their contents whole`() async throws {
    let file = file("a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for value in 0..<32 { group.addTask { try file.write(Array(repeating: UInt8(value), count: 5000)) } }
      try await group.waitForAll()
    }
    let bytes = try #require(try file.read(upTo: 10_000))
    #expect(bytes.count == 5000)
    #expect(Set(bytes).count == 1)
    #expect(folder.names == ["a"])
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/", "a"), ("/", "/"), (".", "."), ("./a", ".")])
  func `the parent of a path`(_ path: String, _ parent: String) {
    #expect(DurableFile.parent(of: path) == parent)
  }
}
