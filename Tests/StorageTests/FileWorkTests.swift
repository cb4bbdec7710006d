import Foundation
import ReactorCore
import Synchronization
import Testing

@testable import Storage

@Suite struct FileWorkTests {
  @Test(.timeLimit(.minutes(1))) func `as many jobs run at once as there are threads, and no more`() async throws {
    let work = FileWork(threads: 6)
    let meeting = DispatchSemaphore(value: 0)
    let crowd = Crowd()
    // Each of the first six waits until all six are there: with fewer threads this would never end.
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        group.addTask {
          _ = try? await work.run { () throws(ReactorError) -> Int in
            if crowd.enter() == 6 { for _ in 0..<60 { meeting.signal() } }
            meeting.wait()
            crowd.leave()
            return index
          }
        }
      }
    }
    #expect(crowd.most == 6)
  }

  @Test func `jobs of one thread start in order, and values and errors come back`() async throws {
    let work = FileWork(threads: 1)
    let order = Order()
    for index in 0..<1000 {
      work.submit {
        order.append(index)
        return nil
      }
    }
    #expect(try await work.run { () throws(ReactorError) in 7 } == 7)
    #expect(order.numbers == Array(0..<1000))
    let error = await failure { () async throws(ReactorError) in
      try await work.run { () throws(ReactorError) -> Int in throw .persistence("no") }
    }
    #expect(error == .persistence("no"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a thread that waits for a disk leaves its next task to another one`() async throws {
    let work = FileWork(threads: 1)
    let disk = Pipe()
    let isRead = try await Task(executorPreference: PatientExecutor.shared) { () async throws -> Bool in
      Task(executorPreference: PatientExecutor.shared) { disk.fileHandleForWriting.write(Data("a".utf8)) }
      return try await work.run { () throws(ReactorError) -> Bool in
        var descriptor = pollfd(fd: disk.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 20_000) == 1
      }
    }.value
    #expect(isRead)
  }

  private final class Crowd: Sendable {
    private let state = Mutex((running: 0, most: 0, arrived: 0))
    var most: Int { state.withLock { $0.most } }

    func enter() -> Int {
      state.withLock { state in
        state.running += 1
        state.most = max(state.most, state.running)
        state.arrived += 1
        return state.arrived
      }
    }

    func leave() { state.withLock { $0.running -= 1 } }
  }

  private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock { $0 } }
    func append(_ number: Int) { state.withLock { $0.append(number) } }
  }
}
