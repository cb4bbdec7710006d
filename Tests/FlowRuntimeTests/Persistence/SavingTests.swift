import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

@testable import Storage

@Suite struct SavingTests {
  private let ann = #"[{"id":1,"name":"Ann"}]"#
  private let annLine = "{\"id\":1,\"name\":\"Ann\"}\n"
  private let bob = #"[{"id":2,"name":"Bob"}]"#
  private let bobLine = "{\"id\":2,\"name\":\"Bob\"}\n"

  @Test func `a flow that does not wait is saved when the queue is drained`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let flow = try rig.flow("wait: false")
      let queue = SaveQueue()
      let outcome = try await flow.execute(.persistenceFirst, queue: queue) { _ in }
      #expect(outcome.save == .deferred)
      #expect(outcome.source == .network)
      #expect(await queue.drain() == [])
      #expect(rig.result == annLine)
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a failure behind the flow's end is reported by the queue`() async throws {
    for tolerates in [true, false] {
      try await Rig.with { rig in
        let folder = rig.scratch.path("users.jsonl")
        // Taken after the path was looked at and before the result is put there.
        rig.answer { _ in
          _ = mkdir(folder, 0o755)
          return ok(#"[{"id":1,"name":"Ann"}]"#)
        }
        let flow = try rig.flow(
          "wait: false\npersistence: { path: users.jsonl, fail_on_save_error: \(!tolerates) }")
        let run = await rig.run(flow)
        #expect(run.error == nil)
        #expect(run.save == .deferred)
        #expect(run.failures.map(\.name) == ["shop.users"])
        #expect(run.failures.first?.error.kind == .persistence)
        #expect(run.failures.first?.error.message.contains("users.jsonl is a folder") == true, "\(run.failures)")
        #expect(run.events.contains { if case .failed(.save, _) = $0 { true } else { false } })
        #expect(rig.files == [])
      }
    }
  }

  @Test func `a failed save fails the flow, or is only reported, as the flow says`() async throws {
    for tolerates in [true, false] {
      try await Rig.with { rig in
        let folder = rig.scratch.path("users.jsonl")
        rig.answer { _ in
          _ = mkdir(folder, 0o755)
          return ok(#"[{"id":1,"name":"Ann"}]"#)
        }
        let run = await rig.run(
          try rig.flow("persistence: { path: users.jsonl, fail_on_save_error: \(!tolerates) }"))
        if tolerates {
          guard case .failedTolerated(let error) = run.save else {
            Issue.record("\(String(describing: run.save))")
            return
          }
          #expect(error.kind == .persistence)
          #expect(run.kept == 1)
        } else {
          #expect(run.error?.kind == .persistence)
        }
        #expect(rig.files == [])
      }
    }
  }

  @Test func `a link in the result's location is refused before the request, and what it leads to stays`() async throws
  {
    try await Rig.with(ok(bob)) { rig in
      try rig.scratch.write(Array(annLine.utf8), to: "real.jsonl")
      #expect(symlink("real.jsonl", rig.scratch.path("users.jsonl")) == 0)
      let strict = await rig.run(try rig.flow())
      #expect(strict.error?.kind == .persistence)
      #expect(strict.message.contains("users.jsonl is a symbolic link"), "\(strict.message)")
      #expect(rig.server.requests.isEmpty)

      let tolerant = await rig.run(try rig.flow("persistence: { path: users.jsonl, fail_on_save_error: false }"))
      #expect(tolerant.source == .network)
      #expect(tolerant.kept == 1)
      guard case .failedTolerated(let error) = tolerant.save else {
        Issue.record("\(String(describing: tolerant.save))")
        return
      }
      #expect(error.message == strict.message)
      #expect(rig.files == ["real.jsonl", "users.jsonl"])
      #expect(rig.scratch.text("real.jsonl") == annLine)
    }
  }

  @Test func `a folder on the way that is a link is refused`() async throws {
    try await Rig.with(ok(bob)) { rig in
      try rig.scratch.makeFolder("real")
      #expect(symlink("real", rig.scratch.path("out")) == 0)
      let run = await rig.run(try rig.flow("persistence: out/users.jsonl"))
      #expect(run.error?.kind == .persistence)
      #expect(rig.scratch.names() == ["out"])
    }
  }

  @Test func `a read-only file system fails the save clearly, and the old result is still used`() async throws {
    try await Rig.with(ok(ann), root: "disk") { rig in
      let disk = rig.scratch.path("disk")
      try rig.scratch.makeFolder("disk")
      guard geteuid() == 0, run("mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", disk) == 0 else {
        print("skipped: no right to mount a tmpfs, so read-only disks are not tested here")
        return
      }
      defer { run("umount", "-l", disk) }
      let flow = try rig.flow()
      #expect(await rig.run(flow).save == .saved)
      await rig.letGo()
      #expect(run("mount", "-o", "remount,ro", disk) == 0)

      rig.answer(ok(bob))
      let strict = await rig.run(flow, .fresh)
      #expect(strict.error?.kind == .persistence)
      #expect(strict.message.contains("the file system is read-only"), "\(strict.message)")
      #expect(rig.server.requests.count == 1)
      #expect(rig.scratch.text("disk/users.jsonl") == annLine)

      let keys = "persistence: { path: users.jsonl, fail_on_save_error: false, expires_after: 1h }"
      let tolerant = await rig.run(try rig.flow(keys), .fresh)
      #expect(tolerant.kept == 1)
      guard case .failedTolerated(let error) = tolerant.save else {
        Issue.record("\(String(describing: tolerant.save))")
        return
      }
      #expect(error.message == strict.message)
      #expect(rig.scratch.text("disk/users.jsonl") == annLine)
      #expect(await rig.run(flow).source == .persistence)
    }
  }

  @Test func `a disk that fills up while records arrive keeps the old result`() async throws {
    try await Rig.with(ok(ann), root: "disk") { rig in
      let disk = rig.scratch.path("disk")
      try rig.scratch.makeFolder("disk")
      guard geteuid() == 0, run("mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", disk) == 0 else {
        print("skipped: no right to mount a tmpfs, so full disks are not tested here")
        return
      }
      defer { run("umount", "-l", disk) }
      let keys = "persistence: { path: users.jsonl, fail_on_save_error: false }"
      #expect(await rig.run(try rig.flow(keys)).save == .saved)
      rig.answer(manyRecords(40_000))
      let tolerant = await rig.run(try rig.flow(keys), .fresh)
      // Read to the end and counted all the same.
      #expect(tolerant.kept == 40_000)
      guard case .failedTolerated(let error) = tolerant.save else {
        Issue.record("\(String(describing: tolerant.save))")
        return
      }
      #expect(error.message.contains("no space left"), "\(error)")
      #expect(rig.scratch.text("disk/users.jsonl") == annLine)
      let strict = await rig.run(try rig.flow(), .fresh)
      #expect(strict.message == error.message)
      #expect(rig.scratch.text("disk/users.jsonl") == annLine)
      await rig.letGo()
      #expect(rig.scratch.names() == ["disk/.reactor.stamps", "disk/users.jsonl"])
    }
  }

  @Test func `a path that another run is writing is refused before the request`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let other = OutputRoot(path: rig.scratch.folder)
      let lock = try await other.lock(try OutputPath(parsing: "users.jsonl"))
      let strict = await rig.run(try rig.flow())
      #expect(strict.error?.kind == .persistence)
      #expect(strict.message.contains("another reactor run is writing "), "\(strict.message)")
      #expect(rig.server.requests.isEmpty)
      let tolerant = await rig.run(try rig.flow("persistence: { path: users.jsonl, fail_on_save_error: false }"))
      #expect(tolerant.save == .failedTolerated(try #require(strict.error)))
      #expect(rig.files == [])
      lock.release()
      #expect(await rig.run(try rig.flow()).save == .saved)
      await other.close()
    }
  }

  @Test func `a path that another process is writing is refused until that process ends`() async throws {
    try await Rig.with(ok(ann)) { rig in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "python3", "-c", Self.holder, rig.scratch.path(".reactor.lock"), "\(LockFile.offset(of: "users.jsonl"))",
      ]
      let input = Pipe()
      let output = Pipe()
      process.standardInput = input
      process.standardOutput = output
      guard (try? process.run()) != nil, output.fileHandleForReading.availableData == Data("held\n".utf8) else {
        print("skipped: no python3, so locks of other processes are not tested here")
        return
      }
      let flow = try rig.flow()
      #expect(await rig.run(flow).message.contains("another reactor run is writing "))
      #expect(await rig.run(try rig.flow("persistence: other.jsonl")).save == .saved)
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      #expect(await rig.run(flow).save == .saved)
    }
  }

  /// Holds a byte of the lock file exclusively, and the byte that says that somebody is there, as another run would.
  private static let holder = """
    import fcntl, os, struct, sys
    file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
    def lock(kind, offset):
        fcntl.fcntl(file, 37, struct.pack("hhqqi4x", kind, 0, offset, 1, 0))
    lock(fcntl.F_RDLCK, 1 << 62)
    lock(fcntl.F_WRLCK, int(sys.argv[2]))
    os.write(1, b"held\\n")
    sys.stdin.read()
    """

  @Test func `the same flow twice at once never mixes`() async throws {
    try await Rig.with(manyRecords(20_000)) { rig in
      let flow = try rig.flow()
      async let one = rig.run(flow, .fresh)
      async let two = rig.run(flow, .fresh)
      let runs = await [one, two]
      #expect(runs.contains { $0.save == .saved })
      for run in runs where run.save != .saved {
        #expect(run.message.contains("another reactor run is writing "), "\(run.message)")
      }
      #expect(rig.result == manyLines(20_000))
      #expect(rig.files == ["users.jsonl"])
    }
  }
}

/// The steps of a response of many records, some 60 bytes each, sent as one array.
func manyRecords(_ count: Int) -> [ScriptedServer.Step] {
  var body = "["
  for number in 0..<count {
    body += (number == 0 ? "" : ",") + "{\"id\":\(number),\"name\":\"Somebody with a name of some length\"}"
  }
  return ok(body + "]")
}

/// What is stored of them.
func manyLines(_ count: Int) -> String {
  (0..<count).map { "{\"id\":\($0),\"name\":\"Somebody with a name of some length\"}\n" }.joined()
}

/// Runs a program to its end; its exit status, or -1 when it cannot be started.
@discardableResult
func run(_ program: String, _ arguments: String...) -> Int32 {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return -1 }
  process.waitUntilExit()
  return process.terminationStatus
}
