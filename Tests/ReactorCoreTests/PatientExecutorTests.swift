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

  private final class Counter: Sendable {
    let value = Atomic(0)
  }
}
