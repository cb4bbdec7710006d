import Foundation
import Synchronization
import Testing

@testable import DetachedThread
@testable import ReactorCore

@Suite(.timeLimit(.minutes(1))) struct ThreadReserveTests {
  private final class Log: Sendable {
    let threads = Mutex<[UInt]>([])
    var count: Int { threads.withLock { $0.count } }
    func note() { threads.withLock { $0.append(UInt(bitPattern: pthread_self().hashValue)) } }
  }

  private func wait(_ isSo: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(20)
    while !isSo(), .now < end { await Task.yield() }
    #expect(isSo())
  }

  @Test func `work is done by the threads that wait, and they wait for more`() async {
    let (reserve, log) = (ThreadReserve(patience: .seconds(30)), Log())
    reserve.fill(to: 2)
    reserve.fill(to: 2)
    #expect(reserve.waiting == 2)
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      #expect(
        reserve.give {
          log.note()
          gate.wait()
        })
    }
    // Both are at work: whoever comes now needs a new thread.
    #expect(!reserve.give { log.note() })
    await wait { log.count == 2 }
    for _ in 0..<2 { gate.signal() }
    await wait { reserve.waiting == 2 }
    #expect(reserve.give { log.note() })
    await wait { log.count == 3 }
    #expect(Set(log.threads.withLock { $0 }).count == 2)
    #expect(reserve.threads == 2)
  }

  @Test func `a thread that nobody needs ends`() async {
    let reserve = ThreadReserve(patience: .milliseconds(20))
    reserve.fill(to: 2)
    await wait { reserve.threads == 0 }
    #expect(reserve.waiting == 0)
    #expect(!reserve.give {})
  }

  @Test func `a thread that was chosen when it gave up waits for its work`() async throws {
    let (reserve, log) = (ThreadReserve(patience: .milliseconds(1)), Log())
    for _ in 0..<20 {
      reserve.fill(to: 1)
      guard let place = reserve.choose() else { continue }
      usleep(5_000)
      reserve.hand({ log.note() }, to: place)
      for _ in 0..<2_000 where log.count == 0 { usleep(1_000) }
      break
    }
    #expect(log.count == 1)
  }

  @Test func `an executor works on threads that were there before`() async {
    let executor = PatientExecutor(processors: 2)
    executor.keepThreadsReady()
    #expect(ThreadReserve.shared.threads >= 2)
    #expect(await Task(executorPreference: executor) { PatientExecutor.isCurrent }.value)
  }

  @Test func `a thread that an executor has let go of is nobody's`() async {
    let log = Log()
    let executor = PatientExecutor(processors: 1, patience: .milliseconds(10))
    for _ in 0..<50 {
      DetachedThread.keepReady(1)
      await Task(executorPreference: executor) { log.note() }.value
      await wait { executor.threads == 0 }
      // It waits in the reserve as the last to have worked, unless another test was quicker.
      let isSame = await withCheckedContinuation { continuation in
        DetachedThread.start {
          let thread = UInt(bitPattern: pthread_self().hashValue)
          let isSame = log.threads.withLock { $0.contains(thread) }
          continuation.resume(returning: isSame ? PatientExecutor.isCurrent : nil)
        }
      }
      if let isSame {
        #expect(!isSame)
        return
      }
    }
  }
}
