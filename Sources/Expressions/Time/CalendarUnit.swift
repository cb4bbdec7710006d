internal import TimeSyntax

/// A unit of the calendar, for moving and truncating instants.
enum CalendarUnit: String, CaseIterable {
  case second, minute, hour, day, week, month, year

  /// The list of units, for messages.
  static let expected = "second, minute, hour, day, week, month or year"

  /// Creates a unit from its name, singular or plural.
  init?(_ text: String) {
    guard let unit = CalendarUnit(rawValue: text.hasSuffix("s") ? String(text.dropLast()) : text) else { return nil }
    self = unit
  }

  /// The seconds of a unit of fixed length; nil for months and years.
  private var seconds: Int64? {
    switch self {
    case .second: 1
    case .minute: 60
    case .hour: 3600
    case .day: 86_400
    case .week: 604_800
    case .month, .year: nil
    }
  }

  /// The instant that is later by a number of units; nil outside the years 0 to 9999.
  ///
  /// If the new month does not have the day, the result is the last day of the month.
  func add(_ count: Int64, to instant: ExpressionTimestamp) -> ExpressionTimestamp? {
    if let seconds {
      let (moved, overflow) = count.multipliedReportingOverflow(by: seconds)
      let (sum, carry) = instant.secondsSince1970.addingReportingOverflow(moved)
      guard !overflow, !carry else { return nil }
      return ExpressionTimestamp(secondsSince1970: sum, nanosecond: instant.nanosecond)
    }
    var civil = instant.civil
    guard count.magnitude <= 120_000 else { return nil }
    let months = civil.year * 12 + civil.month - 1 + Int(count) * (self == .year ? 12 : 1)
    guard months >= 0, months < 120_000 else { return nil }
    civil.year = months / 12
    civil.month = months % 12 + 1
    civil.day = min(civil.day, GregorianCalendar.length(ofMonth: civil.month, in: civil.year))
    return ExpressionTimestamp(civil)
  }

  /// The first instant of the unit that contains an instant, in UTC; a week begins on Monday.
  func start(of instant: ExpressionTimestamp) -> ExpressionTimestamp? {
    switch self {
    case .week:
      // 1970-01-01 was a Thursday.
      let shifted = instant.secondsSince1970 + 3 * 86_400
      return ExpressionTimestamp(secondsSince1970: instant.secondsSince1970 - Self.rest(shifted, 604_800))
    case .month, .year:
      let civil = instant.civil
      return ExpressionTimestamp(CivilTime(year: civil.year, month: self == .year ? 1 : civil.month, day: 1))
    default:
      return ExpressionTimestamp(
        secondsSince1970: instant.secondsSince1970 - Self.rest(instant.secondsSince1970, seconds ?? 1))
    }
  }

  private static func rest(_ value: Int64, _ divisor: Int64) -> Int64 { ((value % divisor) + divisor) % divisor }
}
