/// A proleptic Gregorian date and time of day without a zone, exact to the nanosecond.
package struct CivilTime: Hashable, Sendable {
  /// The year, 0 to 9999.
  package var year: Int
  /// The month, 1 to 12.
  package var month = 1
  /// The day, from 1 to the month's length.
  package var day = 1
  /// The hour, 0 to 23.
  package var hour = 0
  /// The minute, 0 to 59.
  package var minute = 0
  /// The second, 0 to 59. A leap second is read as the first second of the next minute.
  package var second = 0
  /// The nanosecond, 0 to 999,999,999.
  package var nanosecond = 0

  /// Whether the date exists in the calendar.
  package var isDate: Bool {
    (0...9999).contains(year) && day >= 1 && day <= GregorianCalendar.length(ofMonth: month, in: year)
  }

  /// The whole seconds since 1970-01-01T00:00:00, with the fields read as UTC.
  package var secondsSince1970: Int64 {
    Int64(GregorianCalendar.number(year: year, month: month, day: day)) * 86_400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Creates the fields of an instant in UTC; nil outside the years 0 to 9999.
  package init?(secondsSince1970 seconds: Int64, nanosecond: Int = 0) {
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let rest = Int(seconds - days * 86_400)
    (year, month, day) = GregorianCalendar.date(Int(days))
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    self.nanosecond = nanosecond
  }

  /// Creates midnight of a day. The day may be one that does not exist (see `isDate`).
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }
}
