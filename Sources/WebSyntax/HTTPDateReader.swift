internal import ByteCodings
internal import TimeSyntax

/// Reads the three forms of dates in HTTP.
struct HTTPDateReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Seconds since 1970.
  mutating func read(now: Int) -> Int? {
    let weekday = rest.prefix(while: ASCII.isLetter)
    let names = HTTPDate.weekdays.map { $0.lowercased() }
    guard weekday.count >= 3,
      names.contains(String(decoding: weekday.prefix(3).map(ASCII.lowercased), as: UTF8.self))
    else { return nil }
    rest = rest[weekday.endIndex...]
    if take(",") {
      guard take(" "), let day = number(2) else { return nil }
      return rest.first == UInt8(ascii: "-") ? readOld(day: day, now: now) : readPreferred(day: day)
    }
    return readAsctime()
  }

  private mutating func readPreferred(day: Int) -> Int? {
    guard take(" "), let month = month(), take(" "), let year = number(4), take(" "), let clock = clock(),
      endsInZone
    else { return nil }
    return seconds(year, month, day, clock)
  }

  private mutating func readOld(day: Int, now: Int) -> Int? {
    guard take("-"), let month = month(), take("-"), let short = number(2), take(" "), let clock = clock(), endsInZone
    else { return nil }
    let thisYear = GregorianCalendar.date(min(max(now, 0), 253_402_300_799) / 86400).year
    var year = thisYear / 100 * 100 + short
    if year > thisYear + 50 { year -= 100 }
    if year <= thisYear - 50 { year += 100 }
    return seconds(year, month, day, clock)
  }

  private mutating func readAsctime() -> Int? {
    guard take(" "), let month = month(), take(" ") else { return nil }
    let padded = take(" ")
    guard let day = number(padded ? 1 : 2), take(" "), let clock = clock(), take(" "), let year = number(4),
      rest.isEmpty
    else { return nil }
    return seconds(year, month, day, clock)
  }

  // MARK: - Parts

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  /// Whether nothing but the zone is left.
  private var endsInZone: Bool { rest.elementsEqual(" GMT".utf8) }

  private mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy(ASCII.isDigit) else { return nil }
    rest = rest[digits.endIndex...]
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func month() -> Int? {
    let name = String(decoding: rest.prefix(3), as: UTF8.self)
    guard let index = HTTPDate.months.firstIndex(where: { $0 == name }) else { return nil }
    rest = rest.dropFirst(3)
    return index + 1
  }

  /// Seconds since midnight; a leap second counts as the one before it.
  private mutating func clock() -> Int? {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + min(second, 59)
  }

  private func seconds(_ year: Int, _ month: Int, _ day: Int, _ clock: Int) -> Int? {
    let time = CivilTime(year: year, month: month, day: day)
    return time.isDate ? Int(time.secondsSince1970) + clock : nil
  }
}
