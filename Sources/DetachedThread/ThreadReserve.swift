internal import Dispatch
internal import Synchronization

/// Threads that were started before there was work for them, and wait for it.
///
/// One that has done its work waits for more, so that what follows finds it too; it ends when none comes for some seconds.
final class ThreadReserve: Sendable {
  /// The one of this process: empty until somebody fills it.
  static let shared = ThreadReserve(patience: .seconds(5))

  /// Where one thread waits, and what it was given.
  final class Place: Sendable {
    fileprivate let wake = DispatchSemaphore(value: 0)
    fileprivate let work = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private struct State {
    /// Those that wait, the last to have worked at the end.
    var waiting: [Place] = []
    /// As many of these threads as there are, at work or waiting.
    var threads = 0
  }

  private let patience: DispatchTimeInterval
  private let state = Mutex(State())

  init(patience: DispatchTimeInterval) { self.patience = patience }

  /// Threads that wait.
  var waiting: Int { state.withLock { $0.waiting.count } }
  /// All its threads.
  var threads: Int { state.withLock { $0.threads } }

  /// Starts as many threads as are missing until so many wait; fewer where the system gives none.
  func fill(to count: Int) {
    for _ in waiting..<max(waiting, count) {
      let place = Place()
      guard DetachedThread.startNew({ [self] in serve(place) }) else { return }
      // Work that comes before the thread runs is there when it does.
      state.withLock { state in
        state.waiting.append(place)
        state.threads += 1
      }
    }
  }

  /// Gives work to the thread that has worked last; false when none waits.
  func give(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let place = choose() else { return false }
    hand(work, to: place)
    return true
  }

  /// Takes the thread that has worked last from those that wait: it stays until it is handed work.
  func choose() -> Place? { state.withLock { $0.waiting.popLast() } }

  /// Hands work to a thread that was chosen.
  func hand(_ work: @escaping @Sendable () -> Void, to place: Place) {
    place.work.withLock { $0 = work }
    place.wake.signal()
  }

  /// A thread's life.
  private func serve(_ place: Place) {
    while true {
      if place.wake.wait(timeout: .now() + patience) == .timedOut {
        if withdraw(place) { return }
        // Chosen in the same instant: its work is on the way.
        place.wake.wait()
      }
      place.work.withLock { $0.take() }?()
      state.withLock { $0.waiting.append(place) }
    }
  }

  /// Takes a thread out; false when it has been chosen for work.
  private func withdraw(_ place: Place) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === place }) else { return false }
      state.waiting.remove(at: index)
      state.threads -= 1
      return true
    }
  }
}
