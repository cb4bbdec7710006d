#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The clock for time limits. It does not jump when the wall clock changes.
enum MonotonicClock {
  /// The current time in nanoseconds since an arbitrary fixed point.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in whole milliseconds, rounded up and limited to the range 1 ms to 7 days.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let week: Int64 = 7 * 24 * 3_600
    if seconds >= week { return Int(week * 1_000) }
    if seconds < 0 { return 1 }
    return max(1, Int(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// The duration in seconds for messages, such as `10 s` or `0.25 s`.
  var inSeconds: String {
    let count = milliseconds
    if count % 1_000 == 0 { return "\(count / 1_000) s" }
    let fraction = String(count % 1_000 + 1_000).dropFirst()
    return "\(count / 1_000).\(String(fraction).replacingTrailingZeros()) s"
  }
}

extension String {
  fileprivate func replacingTrailingZeros() -> String {
    var text = self
    while text.hasSuffix("0") { text.removeLast() }
    return text
  }
}
