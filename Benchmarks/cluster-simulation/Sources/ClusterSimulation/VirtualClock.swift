import Glibc
import ReactorCore
import Synchronization

/// A clock whose time passes only while all tasks of the simulation wait.
///
/// A task is active, or it waits for a time. When none is active, the clock goes to the earliest time, and its task is
/// active. Up to `atOnce` tasks whose times are within `window` are active together, so that their statements meet in the
/// database as those of a real cluster do.
final class VirtualClock: Sendable {
  private struct State: ~Copyable {
    var now = Duration.zero
    var queue = EventQueue()
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var active = 0
    /// The time of the first task that is active.
    var windowStart = Duration.zero
    var lastNumber = 0
  }

  /// The time 0 in seconds since 1970.
  static let epoch: Int64 = 1_800_000_000
  /// About the time that a statement takes in a real cluster.
  private static let window = Duration.milliseconds(10)

  private let state: Mutex<State>
  private let atOnce: Int
  /// The file from which `sim.clock_timestamp()` reads the time.
  private let file: CInt

  /// Creates the clock at time 0, with one active task.
  ///
  /// - Parameters:
  ///   - file: gets the time, as seconds since 1970 with six decimals
  ///   - atOnce: the number of tasks that are active together at most; 1 for one after the other
  init(file path: String, atOnce: Int) {
    var first = State()
    first.active = 1
    state = Mutex(first)
    self.atOnce = atOnce
    file = open(path, O_WRONLY | O_CREAT, 0o644)
    precondition(file >= 0, "cannot write \(path)")
    write(.zero)
  }

  var now: Duration { state.withLock { $0.now } }
  var stopwatch: Stopwatch { Stopwatch { self.now } }

  /// Counts one more active task. Its end has to be counted by `release`.
  func retain() { state.withLock { $0.active += 1 } }

  /// Counts the end of an active task.
  func release() {
    state.withLock { state in
      state.active -= 1
      advance(&state)
    }
  }

  /// Waits for a duration.
  ///
  /// - Parameter isActive: whether the calling task is counted as active
  /// - Throws: `.cancelled` when the task is cancelled first; then it is not active any more
  func wait(_ duration: Duration, isActive: Bool = true) async throws(ReactorError) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if isActive { state.active -= 1 }
          let isCancelled = state.cancelled.remove(number) != nil
          if !isCancelled {
            state.waiting[number] = continuation
            state.queue.add(EventQueue.Event(time: state.now + max(duration, .zero), number: number))
          }
          advance(&state)
          return isCancelled
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let continuation = state.waiting.removeValue(forKey: number)
        if continuation == nil { state.cancelled.insert(number) }
        return continuation
      }
      continuation?.resume(returning: false)
    }
    if !isOver { throw .cancelled }
  }

  /// Lets the next tasks become active.
  private func advance(_ state: inout State) {
    while state.active < atOnce, let event = state.queue.first {
      guard state.active == 0 || event.time <= state.windowStart + Self.window else { return }
      state.queue.removeFirst()
      // A wait that was cancelled.
      guard let continuation = state.waiting.removeValue(forKey: event.number) else { continue }
      if state.active == 0 { state.windowStart = event.time }
      if event.time > state.now {
        state.now = event.time
        write(state.now)
      }
      state.active += 1
      continuation.resume(returning: true)
    }
  }

  private func write(_ time: Duration) {
    let microseconds = time.components.attoseconds / 1_000_000_000_000
    let decimals = String(microseconds)
    let text =
      String(Self.epoch + time.components.seconds) + "." + String(repeating: "0", count: 6 - decimals.count) + decimals
    let written = pwrite(file, text, text.utf8.count, 0)
    precondition(written == text.utf8.count, "cannot write the time")
  }
}
