#if os(Linux)
  internal import Glibc
#endif

/// How the system shares the processors between the threads of this process, and with others.
enum BatchScheduling {
  /// `SCHED_BATCH` of `sched(7)`, which the header keeps from programs that do not ask for extensions.
  private static let batch: CInt = 3

  /// Has this process scheduled as batch work, where the system knows that. Call it before any other thread is started:
  /// threads take it over from the one that starts them.
  ///
  /// A thread that is woken then does not interrupt one that is running. A run wakes threads thousands of times (a request to
  /// send, an answer to map, a result to publish), and each wake interrupted what the processor had in its caches: 2,000
  /// small pulls take 5 % less time without. Programs that somebody waits for at a terminal come first.
  ///
  /// Whoever has started the process under another policy (`chrt`) has chosen it.
  static func prepare() {
    #if os(Linux)
      guard sched_getscheduler(0) == SCHED_OTHER else { return }
      var parameters = sched_param()
      // A sandbox may refuse it, and then it stays as it is.
      _ = sched_setscheduler(0, batch, &parameters)
    #endif
  }
}
