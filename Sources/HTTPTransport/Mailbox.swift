internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The command queue of the driving thread, with a pipe that wakes the sleeping thread.
final class Mailbox: Sendable {
  /// A command to the driving thread.
  enum Command: Sendable {
    case start(Transfer)
    case resume(Transfer)
    case abandon(Transfer)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var isAsleep = false
    var isClosed = false
    /// Why the driving thread could not start; nil when it started.
    var failure: String?
  }

  /// The end of the pipe that becomes readable when the sleeping thread must wake.
  let readEnd: Int32
  private let writeEnd: Int32
  private let state = Mutex(State())

  /// Creates a mailbox; nil when no pipe can be opened.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard ccurl_pipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Queues a command; returns false when the thread has ended.
  @discardableResult
  func post(_ command: Command) -> Bool {
    let (isOpen, wasAsleep) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.commands.append(command)
      defer { state.isAsleep = false }
      return (true, state.isAsleep)
    }
    if wasAsleep {
      var byte: UInt8 = 1
      // If the pipe is full, the write fails, but the bytes in the pipe wake the thread.
      _ = write(writeEnd, &byte, 1)
    }
    return isOpen
  }

  /// Why the driving thread could not start. Nil when it started or has not yet tried.
  var failure: String? { state.withLock { $0.failure } }

  // MARK: - For the driving thread

  /// Moves all queued commands to `commands`, which must be empty; its memory is reused for the next queue.
  func take(into commands: inout [Command]) {
    state.withLock { swap(&$0.commands, &commands) }
  }

  /// Announces that the thread will sleep; returns false when commands are waiting.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.commands.isEmpty
      return state.isAsleep
    }
  }

  /// Records that the thread is awake; empties the pipe if the pipe has woken it.
  func wakeUp(isReadable: Bool) {
    state.withLock { $0.isAsleep = false }
    guard isReadable else { return }
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) == bytes.count {}
  }

  /// Closes the queue; returns the commands that were not executed.
  ///
  /// - Parameter failure: why the driving thread could not start
  func shut(_ failure: String? = nil) -> [Command] {
    state.withLock { state in
      state.isClosed = true
      state.failure = failure
      defer { state.commands = [] }
      return state.commands
    }
  }
}
