import Foundation
import ReactorCore
import Storage
import Synchronization
import Testing

@Suite struct PublishingTests {
  @Test(arguments: [Durability.durable, .fast])
  func `a result is created, left alone while equal, and replaced in one step`(_ durability: Durability) async throws {
    let scratch = try Scratch()
    let root = scratch.root(durability)
    let path = try OutputPath.good("out/deep/x.json")
    let lock = try await root.lock(path)

    let first = try await lock.publish([UInt8]("[1]"), .at(1))
    #expect(first == Publication(change: .created, size: 3, hash: ContentHash.of("[1]".utf8)))
    let inode = try scratch.inode("out/deep/x.json")

    let second = try await lock.publish([UInt8]("[1]"), .at(2))
    #expect(second.change == .unchanged)
    #expect(try scratch.inode("out/deep/x.json") == inode)

    let third = try await lock.publish([UInt8]("[2]"), .at(3))
    #expect(third.change == .replaced)
    #expect(scratch.text("out/deep/x.json") == "[2]")
    #expect(try await root.stamp(of: path)?.provenance == .at(3))
    #expect(try scratch.names("out/deep") == [".reactor.lock", ".reactor.stamps", "x.json"])
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_500_000])
  func `content of any size arrives whole from pieces of any size`(_ size: Int) async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let content = [UInt8].noise(size)
    for piece in [1 << 22, 1 << 20, 65_537] {
      let lock = try await root.lock(try .good("x\(piece).jsonl"))
      for round in [Publication.Change.created, .unchanged] {
        let staged = lock.stage()
        var at = 0
        while at < size {
          try await staged.write(Array(content[at..<min(at + piece, size)]))
          at += piece
        }
        let outcome = try await staged.publish(.at(1))
        #expect(outcome == Publication(change: round, size: Int64(size), hash: ContentHash.of(content)))
      }
      #expect(FileManager.default.contents(atPath: scratch.path("x\(piece).jsonl")) == Data(content))
    }
    #expect(try scratch.names().filter { $0.contains("tmp") } == [])
  }

  @Test func `equal size is not equal content, wherever the difference is`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let lock = try await root.lock(try .good("x.jsonl"))
    for size in [1000, 2_500_000] {
      var content = [UInt8].noise(size)
      _ = try await lock.publish(content, .at(0))
      for location in [0, 1, size / 2, size - 1] {
        content[location] ^= 1
        #expect(try await lock.publish(content, .at(0)).change == .replaced)
        #expect(FileManager.default.contents(atPath: scratch.path("x.jsonl")) == Data(content))
      }
    }
  }

  @Test func `a large result that has not changed is not written at all, and one that has is whole`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let lock = try await root.lock(try .good("x.jsonl"))
    let old = [UInt8].noise(3_500_000)
    _ = try await lock.publish(old, .at(1))

    func publish(_ content: [UInt8]) async throws -> (Publication, isWrittenEarly: Bool) {
      let staged = lock.stage()
      try await staged.write(Array(content[..<min(2_000_000, content.count)]))
      let isWritten = try scratch.names().contains { $0.hasPrefix(".reactor-tmp.") }
      try await staged.write(Array(content.dropFirst(2_000_000)))
      let outcome = try await staged.publish(.at(2))
      #expect(outcome.hash == ContentHash.of(content))
      #expect(FileManager.default.contents(atPath: scratch.path("x.jsonl")) == Data(content))
      return (outcome, isWritten)
    }
    let same = try await publish(old)
    #expect(same.0.change == .unchanged)
    #expect(!same.isWrittenEarly)
    var late = old
    late[2_999_999] ^= 1
    let changed = try await publish(late)
    #expect(changed.0.change == .replaced)
    #expect(!changed.isWrittenEarly)
    #expect(try await publish(late + [1]).0.change == .replaced)
    #expect(try await publish(Array(late[..<3_000_000])).0.change == .replaced)
    #expect(try await publish(Array(late[..<1_500_000])).0.change == .replaced)
    #expect(try await publish([UInt8].noise(1_500_000, seed: 5)).isWrittenEarly)
  }

  @Test func `a file that is edited while it is compared is never mixed with the new content`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let lock = try await root.lock(try .good("x.jsonl"))
    var content = [UInt8].noise(3 << 20)
    _ = try await lock.publish(content, .at(1))
    let staged = lock.stage()
    try await staged.write(Array(content[..<(2 << 20)]))
    let editor = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path("x.jsonl")))
    try editor.write(contentsOf: [content[0] ^ 1])
    try editor.close()
    content[2 << 20] ^= 1
    let error = await failure { () async throws(ReactorError) in
      try await staged.write(Array(content[(2 << 20)...]))
      _ = try await staged.publish(.at(2))
    }
    #expect(error?.message.contains("was changed by another program") == true)
    #expect(try scratch.names() == [".reactor.lock", ".reactor.stamps", "x.jsonl"])
  }

  @Test func `what is discarded or dropped leaves no trace`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    try scratch.write("old", to: "x.json")
    let lock = try await root.lock(try .good("x.json"))
    let big = [UInt8].noise(2 << 20)

    let discarded = lock.stage()
    try await discarded.write(big)
    #expect(try scratch.names().contains { $0.hasPrefix(".reactor-tmp.") })
    await discarded.discard()
    do {
      let dropped = lock.stage()
      try await dropped.write(big)
    }
    #expect(try scratch.names() == [".reactor.lock", "x.json"])
    #expect(scratch.text("x.json") == "old")
    #expect(await failure { () async throws(ReactorError) in try await discarded.write([1]) } == .cancelled)
    #expect(await failure { () async throws(ReactorError) in try await discarded.publish(.at(1)) } == .cancelled)
  }

  @Test func `a small result may be taken in location of the disk`() async throws {
    let scratch = try Scratch()
    let taken = Mutex<[String: [UInt8]]>([:])
    let root = OutputRoot(path: scratch.folder, durability: .fast) { path, content in
      guard path.text != "c.jsonl" else { return false }
      taken.withLock { $0[path.text] = content }
      return true
    }
    let lock = try await root.lock(.good("a.jsonl"))
    let staged = lock.stage()
    try await staged.write([UInt8]("{}\n"))
    let publication = try await staged.publish(.at(1))
    #expect(publication == Publication(change: .created, size: 3, hash: ContentHash.of("{}\n".utf8)))
    #expect(taken.withLock { $0 } == ["a.jsonl": [UInt8]("{}\n")])
    await #expect(throws: ReactorError.self) { try await staged.publish(.at(1)) }
    #expect(!(try scratch.names().contains("a.jsonl")))
    // What is large, and what nobody takes, goes to the disk.
    for (name, size) in [("b.jsonl", 3 << 20), ("c.jsonl", 3)] {
      _ = try await root.lock(.good(name)).publish([UInt8].noise(size), .at(1))
      #expect(try scratch.names().contains(name))
    }
    #expect(taken.withLock { $0.count } == 1)
  }

  @Test func `a content is published once`() async throws {
    let scratch = try Scratch()
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    _ = try await staged.publish(.at(1))
    let error = await failure { () async throws(ReactorError) in try await staged.publish(.at(1)) }
    #expect(error?.message.contains("already published") == true)
  }

  @Test func `a cancelled task publishes nothing`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let lock = try await root.lock(try .good("x.json"))
    let gate = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in gate.stream {}
      let staged = lock.stage()
      return await failure { () async throws(ReactorError) in try await staged.publish(.at(1)) }
    }
    task.cancel()
    gate.continuation.finish()
    #expect(await task.value == .cancelled)
    #expect(scratch.text("x.json") == nil)
  }

  @Test func `without the lock nothing can be published`() async throws {
    let scratch = try Scratch()
    let lock = try await scratch.root().lock(try .good("x.json"))
    let staged = lock.stage()
    lock.release()
    let error = await failure { () async throws(ReactorError) in try await staged.publish(.at(1)) }
    #expect(error?.message.contains("was released") == true)
    #expect(scratch.text("x.json") == nil)
  }

  @Test func `a folder that was moved away or removed during the run is made anew`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("out/x.json")
    _ = try await root.lock(path).publish([UInt8]("1"), .at(1))
    try FileManager.default.moveItem(atPath: scratch.path("out"), toPath: scratch.path("old"))
    _ = try await root.lock(path).publish([UInt8]("2"), .at(2))
    #expect(scratch.text("out/x.json") == "2")
    #expect(scratch.text("old/x.json") == "1")
    try FileManager.default.removeItem(atPath: scratch.path("out"))
    #expect(try await root.open(path) == nil)
    _ = try await root.lock(path).publish([UInt8]("3"), .at(3))
    #expect(scratch.text("out/x.json") == "3")
  }

  @Test func `more folders than may be open at once all work, those in use included`() async throws {
    let scratch = try Scratch()
    // Other suites of this process may have left some open.
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    let root = scratch.root()
    let kept = try await root.lock(try .good("kept/x.json"))
    for index in 0..<150 {
      _ = try await root.lock(try .good("f\(index)/x.json")).publish([UInt8]("\(index)"), .at(1))
    }
    // Still the same folder object: a second lock on its path is refused without help of the system.
    let path = kept.path
    let busy = await failure { () async throws(ReactorError) in try await root.lock(path) }
    #expect(busy?.message.contains("another reactor run") == true)
    _ = try await kept.publish([UInt8]("k"), .at(1))
    for index in 0..<150 { #expect(scratch.text("f\(index)/x.json") == "\(index)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - before < 900)
  }

  @Test func `publications that come together are all there with their stamps`() async throws {
    let scratch = try Scratch()
    let root = scratch.root(.durable)
    for round in 0..<3 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<100 {
          group.addTask {
            let path = try OutputPath.good("out/\(index).json")
            let outcome = try await root.lock(path).publish([UInt8]("[\(index),\(round)]"), .at(Int64(round)))
            #expect(outcome.change == (round == 0 ? .created : .replaced))
            #expect(outcome.stampFailure == nil)
          }
        }
        try await group.waitForAll()
      }
    }
    let later = scratch.root()
    for index in 0..<100 {
      let path = try OutputPath.good("out/\(index).json")
      let stamp = try #require(try await later.stamp(of: path))
      #expect(stamp.isDurable)
      #expect(stamp.provenance == .at(2))
      let file = try #require(try await later.open(path))
      #expect(try await file.matches(stamp))
    }
  }

  @Test(.timeLimit(.minutes(2))) func `readers see whole versions while many publish`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let path = try OutputPath.good("x.jsonl")
    let isDone = AsyncStream<Void>.makeStream()
    _ = try await root.lock(path).publish(version(0), .at(0))
    let seen = Task {
      var seen: Set<UInt8> = []
      var reads = 0
      while !Task.isCancelled {
        let file = try #require(try await root.open(path))
        let bytes = try await file.bytes(from: 0, count: 1 << 20)
        let kind = try #require(bytes.first)
        #expect(bytes == version(kind))
        seen.insert(kind)
        reads += 1
      }
      return (seen.count, reads)
    }
    let published = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var published = 0
          while published < 200 {
            do throws(ReactorError) {
              _ = try await root.lock(path).publish(version(UInt8((task * 31 + published) % 251)), .at(1))
              published += 1
            } catch {
              // At the time limit everything is refused, for ever.
              try Task.checkCancellation()
              #expect(error.message.contains("another reactor run"))
              await Task.yield()
            }
          }
          return published
        }
      }
      return try await group.reduce(0, +)
    }
    seen.cancel()
    isDone.continuation.finish()
    #expect(published == 1600)
    #expect(try await seen.value.0 > 1)
    #expect(try scratch.names() == [".reactor.lock", ".reactor.stamps", "x.jsonl"])
  }
}

/// A content that shows in every byte which version it is, longer for some than for others.
private func version(_ kind: UInt8) -> [UInt8] { [UInt8](repeating: kind, count: 4_000 + Int(kind) * 20) }
