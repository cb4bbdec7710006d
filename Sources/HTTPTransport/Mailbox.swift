internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The queue of commands for the driving thread, and a pipe that wakes it when it sleeps.
final class Mailbox: Sendable {
  /// What the driving thread is asked to do.
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
    /// Why the driving thread never began; nil where it did.
    var failure: String?
  }

  /// Becomes readable when the sleeping thread is to wake.
  let readEnd: Int32
  private let writeEnd: Int32
  private let state = Mutex(State())

  /// Nil when no pipe can be opened.
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

  /// Queues a command; false when the thread has ended.
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
      // A full pipe wakes the thread just as well.
      _ = write(writeEnd, &byte, 1)
    }
    return isOpen
  }

  /// Why the driving thread could not begin; nil while it has not tried, or where it did.
  var failure: String? { state.withLock { $0.failure } }

  // MARK: - For the driving thread

  /// Swaps the waiting commands into an empty array.
  func take(into commands: inout [Command]) {
    state.withLock { swap(&$0.commands, &commands) }
  }

  /// Announces sleep; false when commands are waiting.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.commands.isEmpty
      return state.isAsleep
    }
  }

  /// Ends the sleep; empties the pipe when it was the cause.
  func wakeUp(isReadable: Bool) {
    state.withLock { $0.isAsleep = false }
    guard isReadable else { return }
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) == bytes.count {}
  }

  /// Takes no more commands; returns those that are not done.
  ///
  /// - Parameter failure: why the driving thread never began
  func shut(_ failure: String? = nil) -> [Command] {
    state.withLock { state in
      state.isClosed = true
      state.failure = failure
      defer { state.commands = [] }
      return state.commands
    }
  }
}
