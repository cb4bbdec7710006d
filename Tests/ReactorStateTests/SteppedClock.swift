import Synchronization

/// Time that passes when a test says so, for work that sleeps.
final class SteppedClock: Sendable {
  private struct Sleeper {
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Content {
    var now = Duration.zero
    var sleepers: [Int: Sleeper] = [:]
    var next = 0
  }

  private let content = Mutex(Content())

  /// How many sleep now.
  var sleeping: Int { content.withLock { $0.sleepers.count } }

  /// Sleeps until time has been moved so far, or the task is cancelled.
  func sleep(_ duration: Duration) async throws {
    let number = content.withLock { content in
      content.next += 1
      return content.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = content.withLock { content in
          if Task.isCancelled { return true }
          content.sleepers[number] = Sleeper(end: content.now + duration, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      content.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass.
  func advance(by duration: Duration) {
    let woken = content.withLock { content in
      content.now += duration
      let woken = content.sleepers.filter { $0.value.end <= content.now }
      for number in woken.keys { content.sleepers[number] = nil }
      return woken
    }
    for sleeper in woken.values { sleeper.continuation.resume() }
  }

  /// Returns when so many sleep.
  func waitForSleepers(_ count: Int) async {
    while sleeping != count { await Task.yield() }
  }
}
