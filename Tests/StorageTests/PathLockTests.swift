import Foundation
import ReactorCore
import Synchronization
import Testing

@testable import Storage

@Suite struct PathLockTests {
  private func isBusy(_ root: OutputRoot, _ text: String) async throws -> Bool {
    let path = try OutputPath.good(text)
    let error = await failure { () async throws(ReactorError) in try await root.lock(path) }
    if let error { #expect(error.message.hasPrefix("another reactor run is writing ")) }
    return error != nil
  }

  @Test func `one path is written by one at a time, other paths of the folder are free`() async throws {
    let scratch = try Scratch()
    let one = scratch.root()
    let other = scratch.root()
    let lock = try await one.lock(try .good("out/x.json"))
    #expect(try await isBusy(one, "out/x.json"))
    #expect(try await isBusy(other, "out/x.json"))
    #expect(try await isBusy(other, "./out//x.json"))
    #expect(try await !(isBusy(other, "out/y.json")))
    #expect(try await !(isBusy(other, "x.json")))
    lock.release()
    #expect(!lock.isHeld)
    #expect(try await !(isBusy(other, "out/x.json")))
  }

  @Test func `a dropped lock is given back`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    for _ in 0..<50 { _ = try await root.lock(try .good("x.json")).publish([1], .at(1)) }
    #expect(try await !(isBusy(scratch.root(), "x.json")))
  }

  @Test func `the last user removes the lock file`() async throws {
    let scratch = try Scratch()
    let one = scratch.root()
    let other = scratch.root()
    _ = try await one.lock(try .good("x.json")).publish([1], .at(1))
    _ = try await other.lock(try .good("y.json")).publish([1], .at(1))
    await one.close()
    #expect(try scratch.names().contains(".reactor.lock"))
    await other.close()
    #expect(try scratch.names() == [".reactor.stamps", "x.json", "y.json"])
  }

  @Test func `coming and going of users never lets two in`() async throws {
    let scratch = try Scratch()
    let path = try OutputPath.good("x.json")
    let inside = Inside()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<150 {
            let root = scratch.root()
            if let lock = try? await root.lock(path) {
              await inside.enter()
              await Task.yield()
              await inside.leave()
              lock.release()
            }
            await root.close()
          }
        }
      }
    }
    #expect(await inside.most == 1)
    #expect(await inside.entries > 100)
  }

  @Test func `threads of one process and of another never have a location at once`() async throws {
    let scratch = try Scratch()
    let folder = try FileDescriptor.open(scratch.folder, in: nil, flags: O_RDONLY | O_DIRECTORY)
    // Of two threads one process's, of the third another's.
    let (one, other) = (try LockFile(in: folder, at: "."), try LockFile(in: folder, at: "."))
    let (inside, most, entries) = (Counter(), Counter(), Counter())
    await withTaskGroup(of: Void.self) { group in
      for locks in [one, one, other] {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              for _ in 0..<100_000 where (try? locks.acquire(7)) == true {
                let now = inside.value.add(1, ordering: .sequentiallyConsistent).newValue
                most.value.max(now, ordering: .relaxed)
                entries.value.add(1, ordering: .relaxed)
                sched_yield()
                inside.value.subtract(1, ordering: .sequentiallyConsistent)
                locks.release(7)
              }
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(most.value.load(ordering: .relaxed) == 1)
    #expect(entries.value.load(ordering: .relaxed) > 1000)
  }

  @Test func `of users that leave together the last one removes the lock file`() throws {
    let scratch = try Scratch()
    let folder = try FileDescriptor.open(scratch.folder, in: nil, flags: O_RDONLY | O_DIRECTORY)
    for round in 0..<4000 {
      let users = Mutex<[LockFile]>(try (0..<4).map { _ in try LockFile(in: folder, at: ".") })
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        // Dropped outside of the mutex.
        _ = users.withLock { $0.removeLast() }
      }
      guard try scratch.names().isEmpty else {
        Issue.record("round \(round): \(try scratch.names()) was left behind")
        return
      }
    }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  @Test func `a lock knows whether there was something, and is not kept for what cannot be replaced`() async throws {
    let scratch = try Scratch()
    let root = scratch.root()
    let first = try await root.lock(try .good("x.json"))
    #expect(first.isVacant)
    _ = try await first.publish([1], .at(1))
    first.release()
    #expect(try await !root.lock(try .good("x.json")).isVacant)
    try FileManager.default.createDirectory(atPath: scratch.path("folder.json"), withIntermediateDirectories: false)
    for _ in 0..<2 {
      let error = await failure { () async throws(ReactorError) in try await root.lock(try! .good("folder.json")) }
      #expect(error?.message.contains("folder") == true)
    }
    try FileManager.default.removeItem(atPath: scratch.path("folder.json"))
    #expect(try await root.lock(try .good("folder.json")).isVacant)
  }

  private actor Inside {
    var now = 0
    var most = 0
    var entries = 0
    func enter() {
      now += 1
      entries += 1
      most = max(most, now)
    }
    func leave() { now -= 1 }
  }

  @Test func `no two files on their way have one name`() async throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "x.json")
    let root = scratch.root()
    var names: Set<String> = []
    for _ in 0..<3 {
      let lock = try await root.lock(try .good("x.json"))
      let staged = lock.stage()
      try await staged.write(.noise(2 << 20))
      names.formUnion(try scratch.names().filter { $0.hasPrefix(".reactor-tmp.") })
      await staged.discard()
      lock.release()
    }
    #expect(names.count == 3)
    #expect(names.allSatisfy { $0.utf8.count == ".reactor-tmp.".utf8.count + 33 })
  }

  @Test func `a lock of another process counts until that process ends, and its leftovers go`() async throws {
    let scratch = try Scratch()
    let offset = LockFile.offset(of: "x.json")
    let leftover = ".reactor-tmp.\(hex(offset)).0123456789abcdef"
    let stranger = ".reactor-tmp.\(hex(LockFile.offset(of: "gone.json"))).0123456789abcdef"
    try scratch.write("half", to: leftover)
    try scratch.write("half", to: stranger)
    try scratch.write("mine", to: ".reactor-tmp.notours")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.holder, scratch.path(".reactor.lock"), "\(offset)", "\(1 << 62)"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil, output.fileHandleForReading.availableData == Data("held\n".utf8) else {
      process.terminate()
      print("no python3: locks between processes are not tested here")
      return
    }
    let root = scratch.root()
    #expect(try await isBusy(root, "x.json"))
    #expect(try scratch.names() == [".reactor-tmp.notours", leftover, ".reactor.lock"].sorted())
    await root.close()
    #expect(try scratch.names().contains(".reactor.lock"))

    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let later = scratch.root()
    _ = try await later.lock(try .good("x.json")).publish([UInt8]("1"), .at(1))
    #expect(try scratch.names() == [".reactor-tmp.notours", ".reactor.lock", ".reactor.stamps", "x.json"])
  }

  /// Holds a byte exclusively, and the presence byte shared, as another run would.
  private static let holder = """
    import fcntl, os, struct, sys
    file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o644)
    def lock(kind, offset):
        fcntl.fcntl(file, 37, struct.pack("hhqqi4x", kind, 0, offset, 1, 0))
    lock(fcntl.F_RDLCK, int(sys.argv[3]))
    lock(fcntl.F_WRLCK, int(sys.argv[2]))
    os.write(1, b"held\\n")
    sys.stdin.read()
    """

  @Test func `leftovers of a writer that is still there stay`() async throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "x.json")
    let staged = try await scratch.root().lock(try .good("x.json")).stage()
    try await staged.write(.noise(2 << 20))
    let other = scratch.root()
    _ = try await other.lock(try .good("y.json"))
    #expect(try scratch.names().contains { $0.hasPrefix(".reactor-tmp.") })
    #expect(try await staged.publish(.at(1)).change == .replaced)
  }

  private func hex(_ value: Int64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
