import Foundation
import Synchronization
import Testing

@testable import ReactorCore

@Suite struct PatientExecutorTests {
  @Test(.timeLimit(.minutes(1)))
  func `every task is done, on threads that may wait`() async {
    let executor = PatientExecutor(processors: 2)
    let places = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for _ in 0..<500 {
        group.addTask(executorPreference: executor) {
          await Task.yield()
          return PatientExecutor.isCurrent
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(places.count == 500)
    #expect(places.allSatisfy { $0 })
    #expect(!PatientExecutor.isCurrent)
  }

  @Test(.timeLimit(.minutes(1)))
  func `tasks go on while as many as there are processors wait for a disk`() async {
    let executor = PatientExecutor(processors: 2)
    let disk = Pipe()
    let done = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask(executorPreference: executor) { _ = disk.fileHandleForReading.readData(ofLength: 1) }
      }
      // A job that comes while nothing is taken wakes a thread more; without one this would never end.
      while done.value.load(ordering: .relaxed) == 0 {
        group.addTask(executorPreference: executor) { done.value.add(1, ordering: .relaxed) }
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.005) { continuation.resume() }
        }
      }
      disk.fileHandleForWriting.write(Data("ab".utf8))
    }
    #expect(done.value.load(ordering: .relaxed) > 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `one task after the other stays on the thread that worked last`() async {
    let executor = PatientExecutor(processors: 2, currentProcessor: { 0 })
    let thread: @Sendable () async -> UInt = { UInt(bitPattern: pthread_self().hashValue) }
    await startTwo(of: executor)
    var threads: Set<UInt> = []
    for _ in 0..<50 {
      while executor.idleThreads < 2 { await Task.yield() }
      threads.insert(await Task(executorPreference: executor, operation: thread).value)
    }
    #expect(threads.count == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `no thread is woken that waits where its waker runs, when another one waits too`() async {
    // Each thread of the executor is on a processor of its own; all others are where it is said.
    let (elsewhere, known) = (Counter(), Threads())
    let executor = PatientExecutor(processors: 2) {
      PatientExecutor.isCurrent ? known.number() : Int32(elsewhere.value.load(ordering: .sequentiallyConsistent))
    }
    await startTwo(of: executor)
    for round in 0..<20 {
      while executor.idleThreads < 2 { await Task.yield() }
      elsewhere.value.store(round % 2, ordering: .sequentiallyConsistent)
      let processor = await Task(executorPreference: executor) { known.number() }.value
      #expect(processor == Int32(1 - round % 2))
    }
  }

  /// Has both threads of an executor at work at once.
  private func startTwo(of executor: PatientExecutor) async {
    let both = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask(executorPreference: executor) {
          both.value.add(1, ordering: .sequentiallyConsistent)
          while both.value.load(ordering: .sequentiallyConsistent) < 2 { usleep(100) }
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `what a task leaves behind is done by its own thread`() async {
    let executor = PatientExecutor(processors: 2)
    await Task(executorPreference: executor) {
      // Each of these begins when this task waits for it, and lets it go on when it ends.
      for _ in 0..<200 { await Task(executorPreference: executor) {}.value }
    }.value
    #expect(executor.threads == 1)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [1, 2])
  func `a thread that waits keeps no task from being done`(_ count: Int) async {
    let executor = PatientExecutor(processors: 2)
    let disk = Pipe()
    let isRead = await Task(executorPreference: executor) {
      for _ in 0..<count {
        Task(executorPreference: executor) { disk.fileHandleForWriting.write(Data("a".utf8)) }
      }
      // One alone is left to this thread, unless it says that it will be busy; of two the first is not.
      if count == 1 { PatientExecutor.willBeBusy() }
      var descriptor = pollfd(fd: disk.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 20_000) == 1
    }.value
    #expect(isRead)
  }

  @Test(.timeLimit(.minutes(1)))
  func `whoever has got bytes works on them, and leaves its next task to another thread`() async throws {
    let executor = PatientExecutor(processors: 2)
    let disk = Pipe()
    let isRead = try await Task(executorPreference: executor) {
      Task(executorPreference: executor) { disk.fileHandleForWriting.write(Data("a".utf8)) }
      // There at once, so that this task does not stop for it.
      _ = try await ResponseBody(bytes: [1]).next()
      var descriptor = pollfd(fd: disk.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 20_000) == 1
    }.value
    #expect(isRead)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a thread that was woken a moment ago is waited for`() async {
    // Behind a long time in which nothing was to do, a third job comes before the threads woken for two have taken one.
    var helped = 0
    for _ in 0..<20 {
      let executor = PatientExecutor(processors: 2)
      await startTwo(of: executor)
      while executor.idleThreads < 2 { usleep(100) }
      usleep(3_000)
      let tasks = (0..<3).map { _ in Task(executorPreference: executor) {} }
      for task in tasks { await task.value }
      if executor.threads > 2 { helped += 1 }
    }
    #expect(helped <= 10)
  }

  /// Numbers threads as they come.
  private final class Threads: Sendable {
    private let known = Mutex<[UInt]>([])

    func number() -> Int32 {
      let thread = UInt(bitPattern: pthread_self().hashValue)
      return known.withLock { known in
        if let place = known.firstIndex(of: thread) { return Int32(place) }
        known.append(thread)
        return Int32(known.count - 1)
      }
    }
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }
}
