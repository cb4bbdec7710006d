internal import TimeSyntax

/// How long a server asks to wait, RFC 9110 section 10.2.3.
public enum RetryAfter {
  /// The maximum wait, about 31 years; longer ones are cut to it.
  public static let longest = Duration.seconds(1_000_000_000)

  /// The wait that `Retry-After` fields ask for; of several the longest. Nil when there is none that can be read.
  ///
  /// A value is a number of seconds (also with a fraction, which the standard does not have and servers send) or a date;
  /// a date that has passed means no wait.
  ///
  /// - Parameters:
  ///   - fields: the values of all fields of that name.
  ///   - now: the time of day in seconds since 1970.
  public static func wait(_ fields: [String], now: Double) -> Duration? {
    fields.compactMap { wait($0, now: now) }.max()
  }

  private static func wait(_ field: String, now: Double) -> Duration? {
    if let seconds = DecimalSeconds.parse(field) { return duration(seconds) }
    guard let date = HTTPDate.seconds(field, now: wholeSeconds(now)) else { return nil }
    return duration(Double(date) - now)
  }

  /// A wait of at least 0 and at most `longest`.
  static func duration(_ seconds: Double) -> Duration {
    if seconds.isNaN || seconds <= 0 { return .zero }
    return seconds >= 1e9 ? longest : .seconds(seconds)
  }

  /// The time of day in whole seconds, within what dates can hold.
  static func wholeSeconds(_ now: Double) -> Int { now.isFinite ? Int(min(max(now, 0), 253_402_300_799)) : 0 }
}
