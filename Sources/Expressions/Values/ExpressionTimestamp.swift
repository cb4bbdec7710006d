internal import JSONSyntax
internal import TimeSyntax

/// An instant in UTC, exact to the nanosecond, in the years 0 to 9999.
public struct ExpressionTimestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let secondsSince1970: Int64
  /// The nanoseconds within the second, 0 to 999,999,999.
  public let nanosecond: Int

  /// Creates an instant; nil outside the years 0 to 9999, or for an invalid number of nanoseconds.
  public init?(secondsSince1970 seconds: Int64, nanosecond: Int = 0) {
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800, (0..<1_000_000_000).contains(nanosecond) else {
      return nil
    }
    self.secondsSince1970 = seconds
    self.nanosecond = nanosecond
  }

  /// 1970-01-01T00:00:00Z
  public static let epoch = ExpressionTimestamp(unchecked: 0, nanosecond: 0)

  private init(unchecked seconds: Int64, nanosecond: Int) {
    self.secondsSince1970 = seconds
    self.nanosecond = nanosecond
  }

  /// Parses ISO 8601: `2026-01-15T10:30:00Z`, any time zone, or a date; nil for other texts.
  ///
  /// A date without a time is its first instant in UTC.
  public init?(iso8601 text: String) {
    var text = text
    let civil: CivilTime? = text.withUTF8 { bytes in
      if let instant = ISO8601.instant(bytes) { return instant }
      var scanner = TextScanner(bytes)
      guard let date = ISO8601.date(&scanner), scanner.isAtEnd else { return nil }
      return date
    }
    guard let civil else { return nil }
    self.init(civil)
  }

  init?(_ civil: CivilTime) {
    self.init(secondsSince1970: civil.secondsSince1970, nanosecond: civil.nanosecond)
  }

  /// The calendar fields in UTC.
  var civil: CivilTime {
    CivilTime(secondsSince1970: secondsSince1970, nanosecond: nanosecond) ?? CivilTime(year: 1970, month: 1, day: 1)
  }

  /// The text `YYYY-MM-DDTHH:MM:SS[.fff…]Z`, with the shortest exact fraction.
  public var text: String {
    let out = ByteBuffer(capacity: 32)
    InstantText.append(civil, to: out)
    return String(decoding: out.copy(), as: UTF8.self)
  }

  /// Parses a text in a format: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern.
  ///
  /// The result is nil for an unknown format or for a text that does not match the format.
  public init?(_ text: String, writtenAs form: String) {
    guard let instant = TimeForm(form)?.instant(text) else { return nil }
    self = instant
  }

  /// The text in a format: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern.
  ///
  /// The result is nil for an unknown format, and if seconds or milliseconds cannot represent the instant exactly. A
  /// pattern omits the parts of the instant that it does not contain.
  public func text(writtenAs form: String) -> String? { TimeForm(writing: form)?.text(self) }

  /// The instant that is later by a duration, or earlier if the duration is negative; nil outside the years 0 to 9999.
  public func moved(by duration: Duration) -> ExpressionTimestamp? {
    ExpressionTimestamp(nanosecondsSince1970: nanosecondsSince1970 + DurationValue.nanoseconds(duration))
  }

  /// The instant that is earlier by a duration; nil outside the years 0 to 9999. The duration is subtracted, because
  /// negating it could overflow.
  func moved(backBy duration: Duration) -> ExpressionTimestamp? {
    ExpressionTimestamp(nanosecondsSince1970: nanosecondsSince1970 - DurationValue.nanoseconds(duration))
  }

  /// The instant that is later by a number of months, or earlier if the number is negative; nil outside the years 0 to
  /// 9999.
  ///
  /// If the new month does not have the day, the result is in the last day of the month.
  public func moved(months: Int) -> ExpressionTimestamp? { CalendarUnit.month.add(Int64(months), to: self) }

  /// The first instant, in UTC, of the month, quarter or year that follows the one with this instant; nil outside the
  /// years 0 to 9999.
  ///
  /// - Parameter months: the length of the period: 1 for a month, 3 for a quarter, 12 for a year
  public func nextPeriod(ofMonths months: Int) -> ExpressionTimestamp? {
    let civil = civil
    let first = (civil.month - 1) / months * months + 1
    return ExpressionTimestamp(CivilTime(year: civil.year, month: first, day: 1)).flatMap { $0.moved(months: months) }
  }

  /// The instant rounded down to a whole multiple of this number of nanoseconds since 1970.
  public func floored(to nanoseconds: Int64) -> ExpressionTimestamp {
    guard nanoseconds > 0 else { return self }
    let floor = nanosecondsSince1970 - Self.rest(nanosecondsSince1970, Int128(nanoseconds))
    return ExpressionTimestamp(nanosecondsSince1970: floor) ?? self
  }

  /// The duration from this instant to another one; negative if the other instant is earlier.
  public func duration(to other: ExpressionTimestamp) -> Duration { other.since(self) }

  /// The duration from another instant to this instant.
  func since(_ other: ExpressionTimestamp) -> Duration {
    DurationValue.duration(nanoseconds: nanosecondsSince1970 - other.nanosecondsSince1970)
  }

  private init?(nanosecondsSince1970 count: Int128) {
    let rest = Self.rest(count, 1_000_000_000)
    guard let seconds = Int64(exactly: (count - rest) / 1_000_000_000) else { return nil }
    self.init(secondsSince1970: seconds, nanosecond: Int(rest))
  }

  /// The remainder of a division that rounds down.
  private static func rest(_ value: Int128, _ divisor: Int128) -> Int128 { ((value % divisor) + divisor) % divisor }

  private var nanosecondsSince1970: Int128 { Int128(secondsSince1970) * 1_000_000_000 + Int128(nanosecond) }
}

extension ExpressionTimestamp: Comparable {
  /// Whether the left instant is earlier.
  public static func < (left: ExpressionTimestamp, right: ExpressionTimestamp) -> Bool {
    (left.secondsSince1970, left.nanosecond) < (right.secondsSince1970, right.nanosecond)
  }
}
