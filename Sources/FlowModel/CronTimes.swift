internal import TimeSyntax

/// Minutes at which something starts, as the five fields of cron give them.
///
/// The text is written so that every engine reads it alike: numbers instead of names, and 0 for Sunday.
package struct CronTimes: Sendable, Hashable {
  /// One field: its text, and the numbers that it allows.
  package struct Field: Sendable, Hashable {
    /// The text, with numbers only: `*`, `*/5`, `1-5`, `0,30`.
    package let text: String
    /// The allowed numbers; the number `n` is bit `n`.
    package let bits: UInt64

    /// Creates a field.
    package init(text: String, bits: UInt64) {
      self.text = text
      self.bits = bits
    }

    /// A field that allows every `step`-th number of its bounds, from the first one on.
    package static func every(_ step: Int, in bounds: ClosedRange<Int>) -> Field {
      Field(
        text: step == 1 ? "*" : "*/\(step)",
        bits: stride(from: bounds.lowerBound, through: bounds.upperBound, by: step).reduce(0) { $0 | 1 << UInt64($1) })
    }

    /// Whether the field allows every number.
    package var isAny: Bool { text == "*" }

    /// Whether the field allows a number from 0 to 63.
    package func contains(_ number: Int) -> Bool { bits >> UInt64(number) & 1 == 1 }
  }

  package let minute: Field, hour: Field, day: Field, month: Field, weekday: Field

  /// Creates times from the fields in the order of cron: minute, hour, day of the month, month, day of the week.
  package init(
    minute: Field, hour: Field = .every(1, in: 0...23), day: Field = .every(1, in: 1...31),
    month: Field = .every(1, in: 1...12), weekday: Field = .every(1, in: 0...6)
  ) {
    self.minute = minute
    self.hour = hour
    self.day = day
    self.month = month
    self.weekday = weekday
  }

  /// The five fields, with a space between them.
  package var text: String { [minute, hour, day, month, weekday].map(\.text).joined(separator: " ") }

  /// Whether any day has a start: `31 2` (31 February) has none.
  package var comes: Bool {
    // A day of the week comes in each month; together with a day of the month, either is enough.
    guard weekday.isAny else { return true }
    return (1...12).contains { month in
      // 2000 has a 29 February.
      self.month.contains(month)
        && (1...GregorianCalendar.length(ofMonth: month, in: 2000)).contains { day.contains($0) }
    }
  }

  /// The shortest time between two starts, in minutes; nil for one start or none in eight years.
  package var shortestGap: Int? {
    let minutes = (0..<1440).filter { hour.contains($0 / 60) && minute.contains($0 % 60) }
    guard let first = minutes.first, let last = minutes.last else { return nil }
    var gap = zip(minutes, minutes.dropFirst()).map { $1 - $0 }.min()
    var before: Int?
    let start = GregorianCalendar.number(year: 2000, month: 1, day: 1)
    for number in start..<start + 8 * 366 where has(day: number) {
      if let before {
        let pause = (number - before) * 1440 - last + first
        gap = min(gap ?? pause, pause)
      }
      // No gap is shorter than that of two days in a row.
      if before == number - 1 { break }
      before = number
    }
    return gap
  }

  /// Whether a day has starts, by its number since 1970.
  private func has(day number: Int) -> Bool {
    let date = GregorianCalendar.date(number)
    guard month.contains(date.month) else { return false }
    let fits = (day: day.contains(date.day), weekday: weekday.contains(GregorianCalendar.weekday(number)))
    return day.isAny || weekday.isAny ? fits.day && fits.weekday : fits.day || fits.weekday
  }
}
