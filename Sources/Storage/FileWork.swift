internal import Dispatch
internal import ReactorCore
internal import Synchronization

/// A few threads for calls that block (fsync, rename, locks on network file systems), so that none of Swift's own
/// threads ever waits for a disk.
///
/// Serial queues are used as the threads: unlike one concurrent queue, each of them gets a thread of its own however
/// many cores there are. Jobs start in the order of submission. A job must not wait for another one.
final class FileWork: Sendable {
  /// Work in two steps: the second one, which tells the waiting task, runs when the first one's closure and all that it
  /// holds are gone. A lock that the task drops as soon as it goes on is then really free.
  typealias Job = @Sendable () -> @Sendable () -> Void

  private struct State {
    // Jobs come off the end of `ready`; `arrived` is turned over into it when it is empty.
    var ready: [Job] = []
    var arrived: [Job] = []
    var idle: [Int]

    mutating func next() -> Job? {
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
  func submit(_ job: @escaping Job) {
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
      submit {
        let parcel = Parcel(Result(catching: job))
        return { if let result = parcel.take() { continuation.resume(returning: result) } }
      }
    }
    return try result.get()
  }

  private func drain(_ thread: Int) {
    while true {
      var job: Job? = state.withLock { state in
        let job = state.next()
        if job == nil { state.idle.append(thread) }
        return job
      }
      guard let finish = job?() else { return }
      job = nil
      finish()
    }
  }

  /// Holds a value until it is handed over, and not a moment longer.
  private final class Parcel<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    func take() -> Value? { value.withLock { $0.take() } }
  }
}
