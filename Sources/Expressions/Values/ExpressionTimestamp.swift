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

  /// The instant this much later; nil when it leaves the calendar.
  func adding(_ duration: Duration) -> ExpressionTimestamp? {
    let sum = DurationValue.nanoseconds(duration) + nanosecondsSince1970
    let (seconds, rest) = sum.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard let seconds = Int64(exactly: rest < 0 ? seconds - 1 : seconds) else { return nil }
    return ExpressionTimestamp(secondsSince1970: seconds, nanosecond: Int(rest < 0 ? rest + 1_000_000_000 : rest))
  }

  /// The time from another instant to this one.
  func since(_ other: ExpressionTimestamp) -> Duration {
    DurationValue.duration(nanoseconds: nanosecondsSince1970 - other.nanosecondsSince1970)
  }

  private var nanosecondsSince1970: Int128 { Int128(secondsSince1970) * 1_000_000_000 + Int128(nanosecond) }
}

extension ExpressionTimestamp: Comparable {
  /// Earlier is less.
  public static func < (left: ExpressionTimestamp, right: ExpressionTimestamp) -> Bool {
    (left.secondsSince1970, left.nanosecond) < (right.secondsSince1970, right.nanosecond)
  }
}
