internal import ByteCodings
internal import TimeSyntax

/// A point in time as HTTP writes it, RFC 9110 section 5.6.7: whole seconds, always UTC.
public struct HTTPDate: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSinceEpoch: Int

  /// A point in time.
  public init(secondsSinceEpoch: Int) { self.secondsSinceEpoch = secondsSinceEpoch }

  /// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 850) and
  /// `Sun Nov  6 08:49:37 1994` (asctime). The name of the day is not compared with the date.
  ///
  /// - Parameter now: the time of day, in seconds since 1970; an RFC 850 year that would lie more than 50 years ahead of
  ///   it is one of the past.
  public init?(_ text: String, now: Int) {
    let bytes = ASCII.trimmed(Array(text.utf8)[...])
    var reader = HTTPDateReader(bytes)
    guard let date = reader.read(now: now) else { return nil }
    secondsSinceEpoch = date
  }

  /// The preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`. Years outside 0 to 9999 have none and are cut to that range.
  public var text: String {
    let seconds = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
    let number = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
    let day = GregorianCalendar.date(number)
    let rest = seconds - number * 86400
    let weekday = Self.weekdays[GregorianCalendar.weekday(number)]
    let month = Self.months[day.month - 1]
    let clock = "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    return "\(weekday), \(padded(day.day, 2)) \(month) \(padded(day.year, 4)) \(clock) GMT"
  }

  static let weekdays = GregorianCalendar.weekdays.map { $0.prefix(3) }
  static let months = GregorianCalendar.months.map { $0.prefix(3) }

  /// Earlier dates come first.
  public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
