#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Time for limits: never jumps with the wall clock.
enum MonotonicClock {
  /// Nanoseconds since some fixed point.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, within 1 ms and 7 days.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let week: Int64 = 7 * 24 * 3_600
    if seconds >= week { return Int(week * 1_000) }
    if seconds < 0 { return 1 }
    return max(1, Int(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// `10 s`, `0.25 s`.
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
