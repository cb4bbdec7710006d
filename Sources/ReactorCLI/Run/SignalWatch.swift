internal import DetachedThread
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Turns SIGINT and SIGTERM into an orderly end.
///
/// After the first signal the run starts no more flows. Flows that run may end within the grace time, then they are
/// cancelled. Some seconds later the process ends, after a last attempt to report. A second signal ends it at once.
/// Results are safe in each case, because they are published whole or not at all.
///
/// The main thread only waits for the signals, so they are noticed when every other thread is busy. In an asynchronous
/// `main`, Dispatch would let every signal through to its default action.
final class SignalWatch: Sendable {
  /// Seconds from the end of the grace time to the forced end; the promise is 10.
  static let patience: UInt32 = 9

  /// What is done at the first signal, and before a forced end.
  struct Actions: Sendable {
    /// How long running flows may go on.
    var grace = Duration.zero
    var stop: @Sendable () -> Void
    var report: @Sendable () -> Void
  }

  private let actions = Mutex<Actions?>(nil)
  private let received = Mutex<Int32?>(nil)

  /// Makes the signals wait for the watch. Must be called before any other thread is started, for threads inherit it.
  ///
  /// A signal that the caller ignores for this process (as `nohup` and shells without job control do) stays ignored.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    var set = watched()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The exit code of the signal that came, if one did.
  var exitCode: ExitCode? {
    switch received.withLock({ $0 }) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }

  /// Sets what the first signal does; until then, it ends the process at once.
  func act(_ actions: Actions) { self.actions.withLock { $0 = actions } }

  /// The message at the first signal.
  static func note(_ grace: Duration) -> String {
    let seconds = grace.components.seconds
    let running =
      grace > .zero
      ? "running flows have \(seconds > 0 ? "\(seconds) s" : "a moment") to end" : "running flows are cancelled"
    return "\nstopping: \(running); once more to stop at once\n"
  }

  /// Waits for signals on this thread for as long as the process lives.
  func listen() -> Never {
    var set = Self.watched()
    while true {
      var number: Int32 = 0
      if sigwait(&set, &number) == 0 { take(number) } else { pause() }
    }
  }

  private func take(_ number: Int32) {
    let isFirst = received.withLock { received in
      defer { received = received ?? number }
      return received == nil
    }
    guard isFirst, let actions = actions.withLock({ $0 }) else { _exit(128 + number) }
    actions.stop()
    DetachedThread.start {
      // Another signal may end the sleep early.
      var left = UInt32(clamping: actions.grace.components.seconds) &+ Self.patience
      while left > 0 { left = sleep(left) }
      // The report may hang, so it gets half a second.
      DetachedThread.start {
        actions.report()
        _exit(128 + number)
      }
      usleep(500_000)
      _exit(128 + number)
    }
  }

  private static func watched() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM] where !isIgnored(number) { sigaddset(&set, number) }
    return set
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #else
      let handler = unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #endif
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
