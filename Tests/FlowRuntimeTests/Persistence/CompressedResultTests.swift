import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import StreamCompression
import TestSupport
import Testing

/// Results in compressed files. That they behave as others do is tested with these: `MergeTests`, `DeletionTests`,
/// `FailedParentTests`, `FormatTests`, `ParentResultTests`.
@Suite struct CompressedResultTests {
  private static let body = #"[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"}]"#

  @Test(arguments: ["gz", "zst"])
  func `many records are persisted in few bytes, read back, and not written again when they are the same`(
    _ ending: String
  ) async throws {
    try await Rig.with(manyRecords(60_000)) { rig in
      let path = "users.jsonl.\(ending)"
      let flow = try rig.flow("persistence: { path: \(path), expires_after: 1h }")
      #expect(await rig.run(flow).save == .saved)
      #expect(rig.scratch.text(path) == manyLines(60_000))
      let stored = try #require(rig.scratch.bytes(path))
      #expect(stored.count < manyLines(60_000).utf8.count / 4)
      let inode = try #require(try rig.scratch.inode(path))
      #expect(await rig.run(flow, .fresh).save == .saved)
      #expect(try rig.scratch.inode(path) == inode)
      #expect(rig.files == [path])
      #expect(await rig.run(flow).source == .persistence)
      #expect(await rig.run(flow).kept == 60_000)
    }
  }

  @Test(arguments: ["jsonl.gz", "csv.zst"])
  func `an expired result that is still right only gets a new age`(_ format: String) async throws {
    try await Rig.with(answer("200 OK", Self.body, ["ETag: \"v1\""])) { rig in
      let flow = try rig.flow("persistence: { path: users.\(format), expires_after: 1h }")
      _ = await rig.run(flow)
      let before = rig.scratch.bytes("users.\(format)")
      rig.answer([.text("HTTP/1.1 304 Not Modified\r\n\r\n")])
      rig.clock.advance(by: .seconds(3601))
      let run = await rig.run(flow)
      #expect(run.source == .notModified)
      #expect(run.kept == 2)
      #expect(rig.scratch.bytes("users.\(format)") == before)
    }
  }

  @Test(arguments: ["jsonl.gz", "jsonl.zst"])
  func `a result that was cut or changed anywhere is not used`(_ format: String) async throws {
    try await Rig.with(ok(Self.body)) { rig in
      let path = "users.\(format)"
      let flow = try rig.flow("persistence: \(path)")
      _ = await rig.run(flow)
      let whole = try #require(rig.scratch.bytes(path))
      for index in whole.indices {
        var other = whole
        other[index] ^= 1
        for damaged in [Array(whole[..<index]), other] {
          try rig.scratch.write(damaged, to: path)
          let run = await rig.run(flow, .offline)
          #expect(run.message.hasSuffix("cannot be read: \(path) was changed after it was written"), "\(run.message)")
        }
      }
    }
  }

  @Test(arguments: ["merge", "append"], ["gz", "zst"])
  func `a damaged result is never added to`(_ mode: String, _ ending: String) async throws {
    try await Rig.with(ok(Self.body)) { rig in
      let path = "users.jsonl.\(ending)"
      let flow = try rig.flow("persistence: { path: \(path), mode: \(mode) }")
      _ = await rig.run(flow)
      let whole = try #require(rig.scratch.bytes(path))
      for count in [0, 1, whole.count / 2, whole.count - 1] {
        try rig.scratch.write(whole[..<count], to: path)
        let run = await rig.run(flow, .fresh)
        #expect(run.message.hasPrefix("\(rig.scratch.path(path)) is damaged: "), "\(run.message)")
        #expect(run.message.hasSuffix("(put the whole file back, or move it away)"))
        #expect(rig.scratch.bytes(path) == Array(whole[..<count]))
      }
      try rig.scratch.write(whole + [0x1F], to: path)
      #expect(await rig.run(flow, .fresh).message.contains(" is damaged: "))
    }
  }

  @Test(arguments: ["in.jsonl.gz", "in.jsonl.zst"])
  func `a compressed file gives the items of each, in one member or in several`(_ path: String) async throws {
    let shop = OrderShop(3)
    try await shop.run { rig in
      let format = try #require(CompressionFormat(fileExtension: String(path.split(separator: ".").last ?? "")))
      var bytes: [UInt8] = []
      for id in 1...3 {
        let line = Array("{\"n\":\(id)}\n".utf8)
        bytes += try Compressor(format).finish(line[...])
      }
      try rig.scratch.write(bytes, to: path)
      let flow = try FailedParentTests.flow(rig, each: "file: \(path), as: id", id: "id.n")
      #expect(await rig.run(flow).message == "")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
      try rig.scratch.write(bytes.dropLast(), to: path)
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("\(path) is damaged: the "), "\(run.message)")
      #expect(run.message.contains(" data ends too early"), "\(run.message)")
      #expect(try rig.numbers("items.jsonl") == [10, 11, 20, 21, 30, 31])
    }
  }

  @Test(arguments: ["jsonl", "jsonl.gz", "jsonl.zst"])
  func `an empty result counts as no records, so an edited flow may go on`(_ format: String) async throws {
    try await Rig.with { rig in
      func flow(_ query: String) throws -> DeclaredFlow {
        try rig.flow(
          """
          resource: { path: /users, query: { \(query): 1 } }
          cursor: { field: id, query: after, bounds: "(]" }
          persistence: { path: users.\(format), mode: append }
          """)
      }
      let (first, edited, again) = (try flow("a"), try flow("b"), try flow("c"))
      #expect(await rig.run(first).message == "")
      rig.answer(ok(Self.body))
      #expect(await rig.run(edited).message == "")
      #expect(rig.scratch.text("users.\(format)")?.split(separator: "\n").count == 2)
      #expect(await rig.run(again).message.contains("--fresh=everything"))
    }
  }

  @Test func `a compressed CSV file needs a schema, and rejected records are not compressed`() async throws {
    try await Rig.with { rig in
      let text = rig.text("persistence: users.csv.gz\nrejected: bad.jsonl.gz").replacing(#/    schema: .*\n/#, with: "")
      let messages = rig.compile(text).diagnostics.diagnostics.map(\.message)
      #expect(messages == ["the file of rejected records must be JSON Lines"])
      let other = rig.text("persistence: users.csv.gz").replacing(#/    schema: .*\n/#, with: "")
      #expect(
        rig.compile(other).diagnostics.diagnostics.map(\.message) == [
          "a CSV file needs a schema, which names its columns"
        ])
    }
  }
}
