internal import JSONSyntax
internal import TimeSyntax

/// An instant in UTC, exact to the nanosecond, in the years 0 to 9999.
public struct ExpressionTimestamp: Sendable, Hashable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let secondsSince1970: Int64
  /// 0 to 999,999,999, on top of the seconds.
  public let nanosecond: Int

  /// Nil outside the years 0 to 9999, or when the nanoseconds are not below a second.
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

  /// Reads ISO 8601: `2026-01-15T10:30:00Z`, any zone, or a date alone, which is its first instant in UTC; else nil.
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

  /// The fields in UTC.
  var civil: CivilTime {
    CivilTime(secondsSince1970: secondsSince1970, nanosecond: nanosecond) ?? CivilTime(year: 1970, month: 1, day: 1)
  }

  /// `YYYY-MM-DDTHH:MM:SS[.fff…]Z`; the fraction is as short as exactness allows.
  public var text: String {
    let out = ByteBuffer(capacity: 32)
    InstantText.append(civil, to: out)
    return String(decoding: out.copy(), as: UTF8.self)
  }

  /// Reads a text in a form: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern; nil for another form or a text that
  /// does not fit.
  public init?(_ text: String, writtenAs form: String) {
    guard let instant = TimeForm(form)?.instant(text) else { return nil }
    self = instant
  }

  /// The text in a form: `iso8601`, `epoch_s`, `epoch_ms` or a strptime pattern.
  ///
  /// Nil for another form, and where seconds or milliseconds cannot say the instant exactly; a pattern leaves out what it
  /// does not name.
  public func text(writtenAs form: String) -> String? { TimeForm(writing: form)?.text(self) }

  /// The instant this much later, or earlier; nil when it leaves the calendar.
  public func moved(by duration: Duration) -> ExpressionTimestamp? {
    ExpressionTimestamp(nanosecondsSince1970: nanosecondsSince1970 + DurationValue.nanoseconds(duration))
  }

  /// The last whole multiple of so many nanoseconds since 1970 that is not later.
  public func floored(to nanoseconds: Int64) -> ExpressionTimestamp {
    guard nanoseconds > 0 else { return self }
    let floor = nanosecondsSince1970 - Self.rest(nanosecondsSince1970, Int128(nanoseconds))
    return ExpressionTimestamp(nanosecondsSince1970: floor) ?? self
  }

  /// The time from another instant to this one.
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
  /// Earlier is less.
  public static func < (left: ExpressionTimestamp, right: ExpressionTimestamp) -> Bool {
    (left.secondsSince1970, left.nanosecond) < (right.secondsSince1970, right.nanosecond)
  }
}
