#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What this process has used of its processors, by which tests tell work that is bounded from work that is not.
///
/// Other programs on the same machine make everything late and nothing more expensive: what waits for a processor uses
/// none. Nothing here measures speed, which is what the benchmarks do by pairs.
public enum ProcessorTime {
  /// The most that hostile input may cost: 2 s; without optimization what still tells it from the square of a megabyte.
  public static var bound: Duration {
    #if DEBUG
      .seconds(30) * Sanitizer.patience
    #else
      .seconds(2) * Sanitizer.patience
    #endif
  }

  /// All that was used so far, by all threads.
  public static var used: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// What `body` used, and the other threads meanwhile.
  public static func measure(_ body: () throws -> Void) rethrows -> Duration {
    let before = used
    try body()
    return used - before
  }
}
