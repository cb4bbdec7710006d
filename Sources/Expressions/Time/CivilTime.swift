/// A proleptic Gregorian date and time of day without zone, exact to the nanosecond.
struct CivilTime: Hashable {
  /// 0 to 9999.
  var year: Int
  /// 1 to 12.
  var month = 1
  /// 1 to the month's length.
  var day = 1
  /// 0 to 23.
  var hour = 0
  /// 0 to 59.
  var minute = 0
  /// 0 to 59; a leap second is read as the first second of the next minute.
  var second = 0
  /// 0 to 999,999,999.
  var nanosecond = 0

  /// Days in a month, 0 for a month that does not exist.
  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 0
    }
  }

  /// Whether the date exists in the calendar.
  var isDate: Bool { (0...9999).contains(year) && day >= 1 && day <= Self.days(inMonth: month, of: year) }

  /// Whole seconds since 1970-01-01T00:00:00, taking the fields as UTC.
  var secondsSince1970: Int64 {
    // Days from civil: counts in 400-year eras that begin in March, so that a leap day ends a year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = Int64(era) * 146_097 + Int64(dayOfEra) - 719_468
    return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The fields of an instant in UTC; nil outside the years 0 to 9999.
  init?(secondsSince1970 seconds: Int64, nanosecond: Int = 0) {
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    var days = seconds / 86_400
    var rest = seconds % 86_400
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
    hour = Int(rest / 3600)
    minute = Int(rest / 60 % 60)
    second = Int(rest % 60)
    self.nanosecond = nanosecond
  }

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }
}
