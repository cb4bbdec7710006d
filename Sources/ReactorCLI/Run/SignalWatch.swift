internal import DetachedThread
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Ends the run in an orderly way after SIGINT or SIGTERM.
///
/// After the first signal, the run starts no more flows. Running flows may end within the grace time and are then
/// cancelled. Some seconds later, the process makes a last attempt to report and ends. A second signal ends the
/// process at once. Results are safe in each case, because they are published whole or not at all.
///
/// The main thread only waits for signals, so a signal is noticed even when every other thread is busy. In an
/// asynchronous `main`, Dispatch would pass every signal to its default action.
final class SignalWatch: Sendable {
  /// The seconds from the end of the grace time to the forced end. The documented maximum is 10.
  static let patience: UInt32 = 9

  /// The actions at the first signal and before a forced end.
  struct Actions: Sendable {
    /// The time for which running flows may continue.
    var grace = Duration.zero
    var stop: @Sendable () -> Void
    var report: @Sendable () -> Void
  }

  private let actions = Mutex<Actions?>(nil)
  private let received = Mutex<Int32?>(nil)

  /// Blocks the signals, so that only the watch receives them.
  ///
  /// Call this function before any other thread is started, because threads inherit the blocked signals. A signal that
  /// the caller set to be ignored for this process stays ignored; `nohup` and shells without job control do that.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    var set = watched()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// The exit code of the received signal; nil when none was received.
  var exitCode: ExitCode? {
    switch received.withLock({ $0 }) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }

  /// Sets the actions of the first signal. Until then, the first signal ends the process at once.
  func act(_ actions: Actions) { self.actions.withLock { $0 = actions } }

  /// The message that is printed at the first signal.
  static func note(_ grace: Duration) -> String {
    let seconds = grace.components.seconds
    let running =
      grace > .zero
      ? "running flows have \(seconds > 0 ? "\(seconds) s" : "a moment") to end" : "running flows are cancelled"
    return "\nstopping: \(running); a second signal stops at once\n"
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
