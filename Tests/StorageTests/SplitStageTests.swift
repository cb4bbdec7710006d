import Foundation
import ReactorCore
import Records
import Testing

@testable import Storage

@Suite struct SplitStageTests {
  private static let manifest = OutputPath.manifest(of: "out/{{ record.a }}", like: OutputPath.sample)

  /// A result that is staged: paths with the records that they get, in this order.
  private static func staged(
    _ records: [(path: String, text: String)], in root: OutputRoot, head: String = "", pieces: Int = 100_000
  ) async throws -> (stage: SplitStage, lock: PathLock) {
    let lock = try await root.lock(manifest)
    let sample = try OutputPath.good(records.first?.path ?? "x.jsonl")
    let stage = SplitStage(manifest, like: sample, in: root, head: [UInt8](head))
    var frames: [UInt8] = []
    for (path, text) in records {
      for count in [path.utf8.count, text.utf8.count] { frames += (0..<4).map { UInt8(count >> ($0 * 8) & 0xFF) } }
      frames += Array(path.utf8) + Array(text.utf8)
    }
    for start in stride(from: 0, to: frames.count, by: pieces) {
      try await stage.append(Array(frames[start..<min(start + pieces, frames.count)]))
    }
    return (stage, lock)
  }

  @discardableResult
  private static func publish(
    _ records: [(path: String, text: String)], in root: OutputRoot, head: String = "", at time: Int64 = 1
  ) async throws -> SplitManifest {
    let (stage, lock) = try await staged(records, in: root, head: head)
    defer { lock.release() }
    let manifest = try await stage.finish()
    _ = try await stage.publish(manifest, by: lock.stage(), .at(time))
    return manifest
  }

  @Test func `a list of files of a later form is refused and stays`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    try await Self.publish([("a.jsonl", "1\n")], in: root)
    let path = Self.manifest.text
    let later = try #require(scratch.text(path)).replacingOccurrences(of: "reactor-split-1", with: "reactor-split-2")
    try scratch.write(later, to: path)
    let error = await #expect(throws: ReactorError.self) {
      try await Self.publish([("a.jsonl", "2\n")], in: scratch.root())
    }
    #expect(error?.message.contains("was written by a later version of reactor") == true, "\(error?.message ?? "")")
    #expect(scratch.text(path) == later)
  }

  /// All records, as reactor reads them; nil when there is no intact result.
  private static func read(_ root: OutputRoot, head: String = "") async throws -> String? {
    let found = try await root.lookUp(manifest) { (_) -> Bool? in nil }
    guard case .intact(let file, _) = found else { return nil }
    let content = SplitContent(
      try await root.verifiedManifest(file, at: manifest), at: manifest, in: root, head: [UInt8](head))
    var bytes: [UInt8] = []
    while let piece = try await content.next() { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["jsonl", "csv", "jsonl.gz", "csv.zst"], [7, 100_000])
  func `records of many files come back file by file, and few files are open`(
    _ ending: String, _ pieces: Int
  ) async throws {
    let scratch = try Scratch()
    let root = scratch.root(.durable)
    let head = ending.hasPrefix("csv") ? "a,b\r\n" : ""
    let text = String(repeating: "0123456789", count: pieces == 7 ? 2 : 900)
    // Each file gets its records one by one, between those of all others.
    let records = (0..<12).flatMap { turn in
      (0..<(pieces == 7 ? 5 : 150)).map { (path: "out/\($0 % 3)/f\($0).\(ending)", text: "\($0)-\(turn)-\(text)\n") }
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    let (stage, lock) = try await Self.staged(records, in: root, head: head, pieces: pieces)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - before
    #expect(open <= 64 + 16, "\(open)")
    #expect(try !scratch.names().contains("out"))
    let manifest = try await stage.finish()
    _ = try await stage.publish(manifest, by: lock.stage(), .at(1))
    lock.release()
    let paths = records.map(\.path).prefix(manifest.files.count)
    #expect(manifest.files.map(\.path.text) == Array(paths))
    let expected = head + paths.map { path in records.filter { $0.path == path }.map(\.text).joined() }.joined()
    #expect(try await Self.read(root, head: head) == expected)
    #expect(try scratch.names(".reactor/parts") == [])
    #expect(try await Self.read(scratch.root(), head: head) == expected)
  }

  @Test func `what the new result has not is removed, what is the same is left, what was edited is spared`()
    async throws
  {
    let scratch = try Scratch()
    let root = scratch.root()
    try await Self.publish([("a.jsonl", "1\n"), ("b.jsonl", "2\n"), ("c.jsonl", "3\n"), ("d.jsonl", "4\n")], in: root)
    let inode = try scratch.inode("a.jsonl")
    try scratch.write("edited\n", to: "c.jsonl")
    try await Self.publish([("d.jsonl", "5\n"), ("a.jsonl", "1\n")], in: root)
    #expect(try scratch.inode("a.jsonl") == inode)
    #expect(scratch.text("b.jsonl") == nil)
    #expect(scratch.text("c.jsonl") == "edited\n")
    #expect(try await Self.read(root) == "5\n1\n")
    try await Self.publish([], in: root)
    #expect(try await Self.read(root) == "")
    #expect(try scratch.names().filter { !$0.hasPrefix(".") } == ["c.jsonl"])
  }

  @Test func `until the manifest is published the old result is whole`() async throws {
    let scratch = try Scratch()
    try await Self.publish([("a.jsonl", "1\n"), ("b.jsonl", "2\n")], in: scratch.root())
    let (stage, lock) = try await Self.staged([("a.jsonl", "9\n"), ("z.jsonl", "8\n")], in: scratch.root())
    _ = try await stage.finish()
    lock.release()  // as a kill does
    #expect(try await Self.read(scratch.root()) == "1\n2\n")
    #expect(scratch.text("z.jsonl") == nil)
    // What it left is removed by the next run.
    try await Self.publish([("a.jsonl", "3\n")], in: scratch.root())
    #expect(try scratch.names(".reactor/parts") == [])
    #expect(try await Self.read(scratch.root()) == "3\n")
  }

  @Test(arguments: 0...3)
  func `from then on the new result is whole, whatever files have their places`(_ moved: Int) async throws {
    let scratch = try Scratch()
    try await Self.publish([("a.jsonl", "1\n"), ("b.jsonl", "2\n"), ("old.jsonl", "0\n")], in: scratch.root())
    let root = scratch.root()
    let (stage, lock) = try await Self.staged(
      [("a.jsonl", "9\n"), ("b.jsonl", "8\n"), ("c.jsonl", "7\n")], in: root)
    let manifest = try await stage.finish()
    let staged = lock.stage()
    try await staged.write(manifest.encoded())
    _ = try await staged.publish(.at(2), isAnnounced: true)
    for file in manifest.files.prefix(moved) {
      let part = scratch.path(".reactor/parts/\(Self.manifest.name)/\(try #require(file.part))")
      #expect(rename(part, scratch.path(file.path.text)) == 0)
    }
    // Another run reads it while this one is at work, and cannot finish that work.
    #expect(try await Self.read(scratch.root()) == "9\n8\n7\n")
    #expect(scratch.text("old.jsonl") == "0\n")
    lock.release()  // as a kill does
    #expect(try await Self.read(scratch.root()) == "9\n8\n7\n")
    #expect(scratch.text("old.jsonl") == nil)
    #expect(["a", "b", "c"].map { scratch.text("\($0).jsonl") } == ["9\n", "8\n", "7\n"])
    #expect(try scratch.names(".reactor/parts") == [])
  }

  @Test func `a reader never mixes two results`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let old = try await Self.publish([("a.jsonl", "1\n"), ("b.jsonl", "2\n")], in: root)
    let content = SplitContent(old, at: Self.manifest, in: root, head: [])
    #expect(try await content.next() == [UInt8]("1\n"))
    try await Self.publish([("a.jsonl", "3\n"), ("b.jsonl", "4\n")], in: root)
    let error = await failure { () async throws(ReactorError) in while try await content.next() != nil {} }
    #expect(error?.message == "b.jsonl was changed after it was written", "\(error?.message ?? "no error")")
  }

  @Test(arguments: ["edited", "removed", "longer", "manifest"])
  func `a result of which a file is not intact is not used`(_ change: String) async throws {
    let scratch = try Scratch()
    try await Self.publish([("a.jsonl", "1\n"), ("b.jsonl", "2\n")], in: scratch.root())
    switch change {
    case "edited": try scratch.write("3\n", to: "b.jsonl")
    case "removed": #expect(unlink(scratch.path("b.jsonl")) == 0)
    case "longer": try scratch.write("2\n2\n", to: "b.jsonl")
    default:
      try scratch.write("{\"version\":\"reactor-split-1\"}\n", to: Self.manifest.text)
      #expect(try await Self.read(scratch.root()) == nil)
      return
    }
    let error = await failure { () async throws(ReactorError) in
      do { _ = try await Self.read(scratch.root()) } catch let error as ReactorError { throw error } catch {}
    }
    #expect(error?.message == "b.jsonl was changed after it was written")
  }

  @Test func `what cannot be published leaves the old result and nothing else`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    try await Self.publish([("out/a.jsonl", "1\n")], in: root)
    // The result of another flow has one of the paths, a folder has another.
    let other = try await root.lock(try .good("b.jsonl"))
    _ = try await other.publish([UInt8]("other\n"), .at(1))
    other.release()
    try FileManager.default.createDirectory(atPath: scratch.path("c.jsonl"), withIntermediateDirectories: true)
    for (path, message) in [("b.jsonl", "is the result of another flow"), ("c.jsonl", "is a folder")] {
      let (stage, lock) = try await Self.staged([("out/a.jsonl", "2\n"), (path, "3\n")], in: root)
      let error = await failure { () async throws(ReactorError) in _ = try await stage.finish() }
      #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "no error")")
      await stage.discard()
      lock.release()
      #expect(try await Self.read(root) == "1\n")
      #expect(scratch.text("b.jsonl") == "other\n")
      #expect(try scratch.names(".reactor/parts") == [])
    }
  }

  @Test func `the number of files is bounded`() async throws {
    let scratch = try Scratch()
    let records = (0...SplitStage.fileLimit).map { (path: "f\($0).jsonl", text: "1\n") }
    let error = await failure { () async throws(ReactorError) in
      do { _ = try await Self.staged(records, in: scratch.root()) } catch let error as ReactorError {
        throw error
      } catch {}
    }
    #expect(
      error?.message
        == "the result would have more than 10000 files (choose a path with fewer values, such as a month)")
  }
}

extension OutputPath {
  fileprivate static var sample: OutputPath { .state("x", in: "y") }
}
