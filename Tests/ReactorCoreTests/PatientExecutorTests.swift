import Foundation
import Testing

@testable import ReactorCore

@Suite struct PatientExecutorTests {
  @Test(.timeLimit(.minutes(1)))
  func `every task is done, on threads that may wait`() async {
    let executor = PatientExecutor(threads: 3)
    let locations = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for _ in 0..<500 {
        group.addTask(executorPreference: executor) {
          await Task.yield()
          return PatientExecutor.isCurrent
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(locations.count == 500)
    #expect(locations.allSatisfy { $0 })
    #expect(!PatientExecutor.isCurrent)
  }

  @Test(.timeLimit(.minutes(1)))
  func `tasks go on while all threads but one wait for a disk`() async {
    let executor = PatientExecutor(threads: 3)
    let disk = Pipe()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask(executorPreference: executor) { _ = disk.fileHandleForReading.readData(ofLength: 1) }
      }
      // Both wait until this one is done.
      await Task(executorPreference: executor) {}.value
      disk.fileHandleForWriting.write(Data("ab".utf8))
    }
  }
}
