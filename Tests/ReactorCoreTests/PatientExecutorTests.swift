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
    let executor = PatientExecutor(processors: 2)
    let thread: @Sendable () async -> UInt = { UInt(bitPattern: pthread_self().hashValue) }
    // Two threads, both at work at once.
    let both = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask(executorPreference: executor) {
          both.value.add(1, ordering: .sequentiallyConsistent)
          while both.value.load(ordering: .sequentiallyConsistent) < 2 { usleep(100) }
        }
      }
    }
    var threads: Set<UInt> = []
    for _ in 0..<50 {
      while executor.idleThreads < 2 { await Task.yield() }
      threads.insert(await Task(executorPreference: executor, operation: thread).value)
    }
    #expect(threads.count == 1)
  }

  private final class Counter: Sendable {
    let value = Atomic(0)
  }
}
