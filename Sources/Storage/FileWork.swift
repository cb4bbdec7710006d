internal import Dispatch
internal import ReactorCore
internal import Synchronization

/// A few threads for calls that block (fsync, rename, locks on network file systems).
///
/// Swift's own threads therefore never wait for a disk. Each thread is a serial queue. Unlike one concurrent queue,
/// each serial queue gets its own thread, whatever the number of cores. Jobs start in the order of submission. A job
/// must not wait for another job.
final class FileWork: Sendable {
  /// One part of a job; it returns the next part.
  ///
  /// A part runs after the closure of the previous part has been released with everything it held. The last part
  /// usually resumes a task. A lock that this task releases is then really free, because no closure still holds it.
  struct Step: Sendable {
    let run: @Sendable () -> Step?

    init(_ run: @escaping @Sendable () -> Step?) { self.run = run }

    /// Creates the last part of a job.
    static func last(_ run: @escaping @Sendable () -> Void) -> Step {
      Step {
        run()
        return nil
      }
    }
  }

  private struct State {
    // Jobs are taken from the end of `ready`. When it is empty, `arrived` is reversed and becomes `ready`.
    var ready: [Step] = []
    var arrived: [Step] = []
    var idle: [Int]

    mutating func next() -> Step? {
      if ready.isEmpty {
        swap(&ready, &arrived)
        ready.reverse()
      }
      return ready.popLast()
    }
  }

  private let queues: [DispatchQueue]
  private let state: Mutex<State>

  /// Creates the threads; at most `threads` jobs run at once.
  init(threads: Int) {
    queues = (0..<max(1, threads)).map { DispatchQueue(label: "reactor.files.\($0)") }
    state = Mutex(State(idle: Array(queues.indices)))
  }

  /// Runs a job as soon as a thread is free.
  func submit(_ job: @escaping @Sendable () -> Step?) {
    let woken: Int? = state.withLock { state in
      state.arrived.append(Step(job))
      return state.idle.popLast()
    }
    if let woken { queues[woken].async { self.drain(woken) } }
  }

  /// Runs a job and returns its result.
  ///
  /// On a thread that may block, the job runs at once in the calling task. Otherwise the calling task waits without
  /// blocking a thread.
  func run<Value: Sendable>(
    _ job: @escaping @Sendable () throws(ReactorError) -> Value
  ) async throws(ReactorError) -> Value {
    if PatientExecutor.isCurrent { return try job() }
    // The result is not passed through the continuation, which may hold a copy for a moment after the task resumes.
    let parcel = Parcel<Result<Value, ReactorError>>()
    await withCheckedContinuation { continuation in
      submit {
        parcel.put(Result(catching: job))
        return .last { continuation.resume() }
      }
    }
    guard let result = parcel.take() else { throw .persistence("a file operation ended without a result") }
    return try result.get()
  }

  private func drain(_ thread: Int) {
    while true {
      var step: Step? = state.withLock { state in
        let step = state.next()
        if step == nil { state.idle.append(thread) }
        return step
      }
      if step == nil { return }
      while step != nil { step = step?.run() }
    }
  }

  /// Holds a value until it is taken, and releases it at that moment.
  private final class Parcel<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ value: Value) { self.value.withLock { $0 = value } }

    func take() -> Value? { value.withLock { $0.take() } }
  }
}
