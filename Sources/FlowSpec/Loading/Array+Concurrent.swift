internal import DetachedThread
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Array where Element: Sendable {
  /// Cuts the array into stretches, works on them beside each other, one on each processor, and gives the results in
  /// order.
  ///
  /// - Parameter least: elements for which a second thread pays; with fewer everything is done here.
  package func concurrentStretches<Result: Sendable>(
    least: Int, _ work: @escaping @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    let processors = Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    // Eight for each processor: whoever gets the quick ones goes on with the rest, and nobody waits long for the last.
    let number = count < least ? 1 : Swift.min(processors > 1 ? processors * 8 : 1, count)
    guard number > 1 else { return [work(self[...])] }
    let stretches = Stretches(number) { place in
      work(self[count * place / number..<count * (place + 1) / number])
    }
    for _ in 1..<processors {
      guard Helpers.start({ stretches.help() }) else { break }
    }
    return stretches.finish()
  }
}

/// The threads that help, all over the process: a stretch that is cut again finds no processor free.
private enum Helpers {
  private static let working = Atomic(0)

  /// Has a thread help; false where enough do, or the system gives none.
  static func start(_ help: @escaping @Sendable () -> Void) -> Bool {
    let most = Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) - 1
    guard working.add(1, ordering: .relaxed).newValue <= most,
      DetachedThread.start({
        help()
        working.subtract(1, ordering: .relaxed)
      })
    else {
      working.subtract(1, ordering: .relaxed)
      return false
    }
    return true
  }
}

/// Stretches of one piece of work that several threads take from, each one that nobody has begun.
private final class Stretches<Result: Sendable>: Sendable {
  private struct State {
    var begun = 0
    var ended = 0
    var results: [Result?]
  }

  private let number: Int
  private let work: @Sendable (Int) -> Result
  private let state: Mutex<State>
  private let ended = DispatchSemaphore(value: 0)

  init(_ number: Int, _ work: @escaping @Sendable (Int) -> Result) {
    self.number = number
    self.work = work
    state = Mutex(State(results: Array(repeating: nil, count: number)))
  }

  /// Works for as long as there is a stretch that nobody has begun. Whoever comes late finds none.
  func help() {
    while let place = begin() {
      let result = work(place)
      let isLast = state.withLock { state in
        state.results[place] = result
        state.ended += 1
        return state.ended == number
      }
      if isLast { ended.signal() }
    }
  }

  /// Works too, waits for what others have begun, and gives all results.
  func finish() -> [Result] {
    help()
    ended.wait()
    // Whoever comes late keeps none of it alive.
    return state.withLock { state in
      defer { state.results = [] }
      return state.results.compactMap { $0 }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.begun < number else { return nil }
      state.begun += 1
      return state.begun - 1
    }
  }
}
