import Foundation
import ReactorCore
import Storage
import Testing

/// Failures of real file systems, which only root can mount.
@Suite(.serialized) struct DiskFailureTests {
  private func mounted(_ options: String, _ body: (Scratch, String) async throws -> Void) async throws {
    let scratch = try Scratch()
    let disk = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    guard geteuid() == 0, run("mount", "-t", "tmpfs", "-o", "\(options),mode=755", "tmpfs", disk) == 0 else {
      print("no right to mount a tmpfs: full and read-only disks are not tested here")
      return
    }
    defer { run("umount", "-l", disk) }
    try await body(scratch, disk)
  }

  @Test(arguments: [1 << 17, 3 << 20])
  func `a full disk fails clearly, keeps the old result and leaves nothing behind`(_ size: Int) async throws {
    try await mounted("size=96k") { scratch, disk in
      let root = OutputRoot(path: disk)
      let path = try OutputPath.good("x.jsonl")
      let lock = try await root.lock(path)
      let old = [UInt8].noise(20_000)
      _ = try await lock.publish(old, .at(1))
      let error = await failure { () async throws(ReactorError) in
        let staged = lock.stage()
        for _ in 0..<4 { try await staged.write(.noise(size / 4)) }
        _ = try await staged.publish(.at(2))
      }
      #expect(error?.kind == .persistence)
      #expect(error?.path == "\(disk)/x.jsonl")
      #expect(
        error?.message
          == "cannot write \(disk)/x.jsonl: no space left on the file system "
          + "(free some space there, or choose another root)")
      #expect(FileManager.default.contents(atPath: "\(disk)/x.jsonl") == Data(old))
      #expect(try scratch.names("disk") == [".reactor.lock", ".reactor.stamps", "x.jsonl"])
      // The space is free again.
      #expect(try await lock.publish(.noise(40_000), .at(3)).change == .replaced)
    }
  }

  @Test func `no room for the stamp is reported beside the published result`() async throws {
    try await mounted("size=8k") { _, disk in
      let root = OutputRoot(path: disk)
      let path = try OutputPath.good("x.jsonl")
      let outcome = try await root.lock(path).publish(.noise(8192), .at(1))
      #expect(outcome.change == .created)
      #expect(outcome.stampFailure?.message.contains("no space left") == true)
      #expect(try await root.stamp(of: path) == nil)
    }
  }

  @Test func `no inodes left is said like no space`() async throws {
    // Root, lock file, and no more.
    try await mounted("size=1m,nr_inodes=2") { scratch, disk in
      let lock = try await OutputRoot(path: disk).lock(try .good("x.jsonl"))
      let error = await failure { () async throws(ReactorError) in try await lock.publish([1], .at(1)) }
      #expect(error?.message.contains("no space left") == true)
      #expect(try scratch.names("disk") == [".reactor.lock"])
    }
  }

  @Test func `a read-only file system is named, and what is there can be read`() async throws {
    try await mounted("size=1m") { scratch, disk in
      let path = try OutputPath.good("out/x.jsonl")
      do {
        let root = OutputRoot(path: disk)
        _ = try await root.lock(path).publish([UInt8]("old"), .at(1))
        await root.close()
      }
      #expect(run("mount", "-o", "remount,ro", disk) == 0)
      let root = OutputRoot(path: disk)
      for text in ["out/x.jsonl", "new/x.jsonl"] {
        let other = try OutputPath.good(text)
        let error = await failure { () async throws(ReactorError) in try await root.lock(other) }
        #expect(error?.message.contains("the file system is read-only") == true)
      }
      let stamp = try #require(try await root.stamp(of: path))
      #expect(try await root.open(path)?.matches(stamp) == true)
    }
  }

  @Test func `a folder that nobody may change says so`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    try scratch.write("old", to: "x.json")
    let lock = try await root.lock(try .good("x.json"))
    guard run("chattr", "+i", scratch.folder) == 0 else {
      print("no immutable folders on this file system: not tested here")
      return
    }
    defer { run("chattr", "-i", scratch.folder) }
    let error = await failure { () async throws(ReactorError) in try await lock.publish([1], .at(1)) }
    #expect(error?.message.contains("operation not permitted") == true)
    #expect(scratch.text("x.json") == "old")
  }
}
