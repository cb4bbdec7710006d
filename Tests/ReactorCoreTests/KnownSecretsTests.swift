import Foundation
import ReactorCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct KnownSecretsTests {
  /// Two flows can learn the same token at the same time, and each uses it at once.
  @Test func `a secret that two add at the same time is known to the observer before either returns`() async {
    let calls = Mutex(0)
    let (entered, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let secrets = KnownSecrets { _ in
      let isFirst = calls.withLock {
        $0 += 1
        return $0 == 1
      }
      guard isFirst else { return }
      entered.signal()
      goOn.wait()
    }
    let first = Thread { secrets.add("t0ken-4711") }
    first.start()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        entered.wait()
        continuation.resume()
      }
    }
    secrets.add("t0ken-4711")
    #expect(calls.withLock { $0 } == 2)
    goOn.signal()
    secrets.add("t0ken-4711")
    #expect(calls.withLock { $0 } <= 3 && secrets.contains { $0 == "t0ken-4711" })
  }
}
