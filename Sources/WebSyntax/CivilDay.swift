/// A day of the Gregorian calendar, also before its introduction.
struct CivilDay {
  static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  let year: Int
  let month: Int
  let day: Int
  let daysSinceEpoch: Int

  /// A day by its number in the year's months; nil where the calendar has no such day. Years 0 to 9999.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    // Years begin in March here, so that the leap day is the last of its year; 400 years have 146,097 days.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    daysSinceEpoch = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// A day by its distance from 1970-01-01.
  init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.daysSinceEpoch = daysSinceEpoch
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
