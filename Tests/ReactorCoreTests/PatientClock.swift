import ReactorCore
import Synchronization
import TestSupport

/// A clock on which waiting takes no time: it notes each wait and moves on.
final class PatientClock: Sendable {
  private let clock = ManualClock()
  private let noted = Mutex<[Duration]>([])

  var waits: [Duration] { noted.withLock { $0 } }
  var now: Duration { clock.now }
  var patience: Patience {
    Patience(
      delay: Delay { (wait) async throws(ReactorError) in
        if Task.isCancelled { throw .cancelled }
        self.noted.withLock { $0.append(wait) }
        self.clock.advance(by: wait)
      }, random: { 0 })
  }

  func instruments(_ observer: @escaping FlowObserver = { _ in }) -> FlowInstruments {
    FlowInstruments(stopwatch: clock.stopwatch, wallClock: clock.wallClock, observer: observer)
  }

  func budget() -> RateBudget { RateBudget(stopwatch: clock.stopwatch, delay: patience.delay) }

  func advance(by duration: Duration) { clock.advance(by: duration) }
}
