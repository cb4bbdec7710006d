internal import Dispatch
internal import ReactorCore
internal import Synchronization

/// A few threads for calls that block (fsync, rename, locks on network file systems), so that none of Swift's own
/// threads ever waits for a disk.
///
/// Serial queues are used as the threads: unlike one concurrent queue, each of them gets a thread of its own however
/// many cores there are. Jobs start in the order of submission. A job must not wait for another one.
final class FileWork: Sendable {
  private struct State {
    // Jobs come off the end of `ready`; `arrived` is turned over into it when it is empty.
    var ready: [@Sendable () -> Void] = []
    var arrived: [@Sendable () -> Void] = []
    var idle: [Int]

    mutating func next() -> (@Sendable () -> Void)? {
      if ready.isEmpty {
        swap(&ready, &arrived)
        ready.reverse()
      }
      return ready.popLast()
    }
  }

  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  /// At most `threads` jobs run at once.
  init(threads: Int) {
    queues = (0..<max(1, threads)).map { DispatchQueue(label: "reactor.files.\($0)") }
    state = Mutex(State(idle: Array(queues.indices)))
  }

  /// Runs a job as soon as a thread is free.
  func submit(_ job: @escaping @Sendable () -> Void) {
    let woken: Int? = state.withLock { state in
      state.arrived.append(job)
      return state.idle.popLast()
    }
    if let woken { queues[woken].async { self.drain(woken) } }
  }

  /// Runs a job and waits for what it returns, without holding a thread meanwhile.
  func run<Value: Sendable>(
    _ job: @escaping @Sendable () throws(ReactorError) -> Value
  ) async throws(ReactorError) -> Value {
    let result: Result<Value, ReactorError> = await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: Result(catching: job)) }
    }
    return try result.get()
  }

  private func drain(_ thread: Int) {
    while true {
      let job: (@Sendable () -> Void)? = state.withLock { state in
        let job = state.next()
        if job == nil { state.idle.append(thread) }
        return job
      }
      guard let job else { return }
      job()
    }
  }
}
