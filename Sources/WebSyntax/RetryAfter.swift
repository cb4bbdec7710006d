internal import TimeSyntax

/// Reads the wait that a server requests, RFC 9110 section 10.2.3.
public enum RetryAfter {
  /// The maximum wait, about 31 years. A longer wait is reduced to it.
  public static let longest = Duration.seconds(1_000_000_000)

  /// The longest wait that `Retry-After` fields request; nil when no field can be read.
  ///
  /// A value is a number of seconds or a date. The number may have a fraction, which servers send although the
  /// standard does not allow it. A date in the past means no wait.
  ///
  /// - Parameters:
  ///   - fields: the values of all `Retry-After` fields of a response
  ///   - now: the current time in seconds since 1970
  public static func wait(_ fields: [String], now: Double) -> Duration? {
    fields.compactMap { wait($0, now: now) }.max()
  }

  private static func wait(_ field: String, now: Double) -> Duration? {
    if let seconds = DecimalSeconds.parse(field) { return duration(seconds) }
    guard let date = HTTPDate.seconds(field, now: wholeSeconds(now)) else { return nil }
    return duration(Double(date) - now)
  }

  /// The wait as a duration, limited to the range from 0 to `longest`.
  static func duration(_ seconds: Double) -> Duration {
    if seconds.isNaN || seconds <= 0 { return .zero }
    return seconds >= 1e9 ? longest : .seconds(seconds)
  }

  /// A time in whole seconds, limited to the range of dates.
  static func wholeSeconds(_ now: Double) -> Int { now.isFinite ? Int(min(max(now, 0), 253_402_300_799)) : 0 }
}
