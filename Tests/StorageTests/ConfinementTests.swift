import Foundation
import ReactorCore
import Storage
import Testing

@Suite struct ConfinementTests {
  @Test func `a symbolic link in the path is refused, reading and writing, and its target untouched`() async throws {
    let scratch = try Scratch()
    let outside = try Scratch()
    try outside.write("secret", to: "x.json")
    let manager = FileManager.default
    try manager.createDirectory(atPath: scratch.path("real"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: outside.folder)
    try manager.createSymbolicLink(atPath: scratch.path("inner"), withDestinationPath: "real")
    try manager.createSymbolicLink(atPath: scratch.path("final.json"), withDestinationPath: outside.path("x.json"))
    try manager.createSymbolicLink(atPath: scratch.path("dangling.json"), withDestinationPath: outside.path("new.json"))
    try manager.createSymbolicLink(atPath: scratch.path("nowhere"), withDestinationPath: outside.path("new"))
    let root = scratch.root()
    for text in ["link/x.json", "inner/x.json", "final.json", "dangling.json", "nowhere/x.json", "link/new/x.json"] {
      let path = try OutputPath.good(text)
      let write = await failure { () async throws(ReactorError) in try await root.lock(path) }
      #expect(write?.message.contains("is a symbolic link") == true, "\(text): \(write?.message ?? "no error")")
      #expect(write?.kind == .persistence)
      let read = await failure { () async throws(ReactorError) in try await root.open(path) }
      #expect(read?.message.contains("is a symbolic link") == true, "\(text): \(read?.message ?? "no error")")
    }
    #expect(try outside.names() == ["x.json"])
    #expect(outside.text("x.json") == "secret")
  }

  @Test func `a link planted after the lock was taken is replaced, not followed`() async throws {
    let scratch = try Scratch()
    let outside = try Scratch()
    try outside.write("secret", to: "x.json")
    let lock = try await scratch.root().lock(try .good("x.json"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("x.json"), withDestinationPath: outside.path("x.json"))
    let error = await failure { () async throws(ReactorError) in try await lock.publish([1], .at(1)) }
    #expect(error?.message.contains("is a symbolic link") == true)
    #expect(outside.text("x.json") == "secret")
  }

  @Test func `own files that are links are not followed`() async throws {
    for name in [".reactor.lock", ".reactor.stamps"] {
      let scratch = try Scratch()
      let outside = try Scratch()
      try outside.write("secret", to: "x")
      try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: outside.path("x"))
      let root = scratch.root()
      let path = try OutputPath.good("x.json")
      let error = await failure { () async throws(ReactorError) in
        let outcome = try await root.lock(path).publish([1], .at(1))
        // The result itself is kept; only its stamp has no place.
        if let failure = outcome.stampFailure { throw failure }
      }
      #expect(error?.message.contains("is a symbolic link") == true, "\(name): \(error?.message ?? "no error")")
      #expect(outside.text("x") == "secret")
    }
  }

  @Test func `what is no regular file is refused`() async throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.path("dir.json"), withIntermediateDirectories: true)
    #expect(mkfifo(scratch.path("pipe.json"), 0o600) == 0)
    try scratch.write("", to: "file")
    let root = scratch.root()
    for (text, words) in [
      ("dir.json", "is a folder, not a file"), ("pipe.json", "is a device, pipe or socket"),
      ("file/x.json", "is a file, not a folder"),
    ] {
      let path = try OutputPath.good(text)
      for error in [
        await failure { () async throws(ReactorError) in try await root.lock(path) },
        await failure { () async throws(ReactorError) in try await root.open(path) },
      ] {
        #expect(error?.message.contains(words) == true, "\(text): \(error?.message ?? "no error")")
      }
    }
  }

  @Test func `the root is made when something is written, and may lie behind a link`() async throws {
    let scratch = try Scratch()
    let root = OutputRoot(path: scratch.path("new/deep/root"), durability: .durable)
    let path = try OutputPath.good("out/x.json")
    #expect(try await root.open(path) == nil)
    #expect(try await root.stamp(of: path) == nil)
    #expect(try scratch.names() == [])
    _ = try await root.lock(path).publish([UInt8]("1"), .at(1))
    #expect(scratch.text("new/deep/root/out/x.json") == "1")

    try FileManager.default.createSymbolicLink(atPath: scratch.path("door"), withDestinationPath: "new/deep/root")
    let behind = try #require(try await OutputRoot(path: scratch.path("door")).open(path))
    #expect(try await behind.bytes(from: 0, count: 9) == [UInt8]("1"))
  }

  @Test func `reading makes nothing`() async throws {
    let scratch = try Scratch()
    try scratch.write("1", to: "x.json")
    let root = scratch.root()
    for text in ["x.json", "y.json", "no/x.json"] {
      _ = try await root.open(try .good(text))
      #expect(try await root.stamp(of: try .good(text)) == nil)
    }
    #expect(try scratch.names() == ["x.json"])
  }

  @Test func `every hostile name that is no mistake stays inside`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let names = [
      "-rf.json", "~.json", "$(id).json", "`id`.json", "a;b.json", "a|b.json", "a&b.json", "*.json", "?.json", "'.json",
      "\".json", "#.json", "%2e%2e%2fx.json", "....json", "...", "CON.json", "nul.csv", "a:b.json", "a\u{301}.json",
      "\u{1F4A9}.json", String(repeating: "x", count: 250) + ".json", "con/aux.json", "{x}.json", "<x>.json",
      "a b.json",
    ].filter { $0 != "..." }
    for name in names { _ = try await root.lock(try .good(name)).publish([UInt8](name), .at(1)) }
    for name in names {
      #expect(scratch.text(name) == name)
      let path = try OutputPath.good(name)
      let stamp = try #require(try await root.stamp(of: path))
      #expect(try await root.open(path)?.matches(stamp) == true)
    }
  }
}
