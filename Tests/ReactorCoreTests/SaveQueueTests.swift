import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SaveQueueTests {
  private let queue = SaveQueue()
  private let log = SharedLog()

  private final class SharedLog: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test func `drain waits for every save and gives the failures in the order of adding, once`() async {
    let gate = Latch()
    for index in 0..<20 {
      let resource = Resource(path: "/\(index)", method: .GET)
      await queue.add("flow", for: resource) { [log] () async throws(ReactorError) in
        await gate.wait()
        log.add("\(index)")
        if index.isMultiple(of: 5) { throw .persistence("failed \(index)") }
      }
    }
    #expect(await queue.pending == 20)
    gate.open()
    let failures = await queue.drain()
    #expect(failures.map(\.error.message) == ["failed 0", "failed 5", "failed 10", "failed 15"])
    #expect(failures.map(\.description).first == "flow: failed 0")
    #expect(Set(log.all).count == 20)
    #expect(await queue.drain() == [])
  }

  @Test func `saves of one resource run in order, those of others do not wait for them`() async {
    let gate = Latch()
    let otherRan = Latch()
    for index in 0..<50 {
      await queue.add("flow", for: .articles) { [log] () async throws(ReactorError) in
        if index == 0 { await gate.wait() }
        log.add("\(index)")
      }
    }
    await queue.add("flow", for: Resource(path: "/other", method: .GET)) { () async throws(ReactorError) in
      otherRan.open()
    }
    await otherRan.wait()
    #expect(log.all == [])
    gate.open()
    #expect(await queue.drain() == [])
    #expect(log.all == (0..<50).map(String.init))
  }

  @Test func `drain also waits for saves that are added meanwhile`() async {
    let isFirstDone = Latch()
    await queue.add("flow", for: .articles) { [queue, log] () async throws(ReactorError) in
      await queue.add("flow", for: Resource(path: "/next", method: .GET)) { () async throws(ReactorError) in
        // Nothing else tells which of the two goes on first.
        await isFirstDone.wait()
        log.add("second")
      }
      log.add("first")
      isFirstDone.open()
    }
    #expect(await queue.drain() == [])
    #expect(log.all == ["first", "second"])
  }

  @Test func `cancelAll ends what runs and what waits, and says so`() async {
    let started = Latch()
    let forever = Latch()
    for _ in 0..<3 {
      await queue.add("flow", for: .articles) { [log] () async throws(ReactorError) in
        log.add("ran")
        started.open()
        await forever.wait()
        if Task.isCancelled { throw .cancelled }
      }
    }
    await started.wait()
    await queue.cancelAll()
    #expect(await queue.drain().map(\.error) == [.cancelled, .cancelled, .cancelled])
    #expect(log.all == ["ran"])
  }
}
