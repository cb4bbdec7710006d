internal import Dispatch
internal import ReactorCore
internal import Synchronization

/// A few threads for calls that block (fsync, rename, locks on network file systems), so that none of Swift's own
/// threads ever waits for a disk.
///
/// Serial queues are used as the threads: unlike one concurrent queue, each of them gets a thread of its own however
/// many cores there are. Jobs start in the order of submission. A job must not wait for another one.
final class FileWork: Sendable {
  /// A part of a job and what follows it. Each part runs when the closure of the one before, and all that it held, is
  /// gone: a lock that a task drops as soon as the last part has told it to go on is then really free.
  struct Step: Sendable {
    let run: @Sendable () -> Step?

    init(_ run: @escaping @Sendable () -> Step?) { self.run = run }

    /// The last part.
    static func last(_ run: @escaping @Sendable () -> Void) -> Step {
      Step {
        run()
        return nil
      }
    }
  }

  private struct State {
    // Jobs come off the end of `ready`; `arrived` is turned over into it when it is empty.
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

  /// At most `threads` jobs run at once.
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

  /// Runs a job and waits for what it returns: here, on a thread that may wait itself, else without holding one.
  func run<Value: Sendable>(
    _ job: @escaping @Sendable () throws(ReactorError) -> Value
  ) async throws(ReactorError) -> Value {
    if PatientExecutor.isCurrent { return try job() }
    // The result does not travel through the continuation, which may keep a copy for a moment after the task goes on.
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

  /// Holds a value until it is taken, and not a moment longer.
  private final class Parcel<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ value: Value) { self.value.withLock { $0 = value } }

    func take() -> Value? { value.withLock { $0.take() } }
  }
}
