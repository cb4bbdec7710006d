/// The offsets of a time zone in each year: the text of the variable TZ (POSIX.1, section 8.3, with RFC 9636).
struct YearlyRule: Sendable, Hashable {
  private enum Day: Sendable, Hashable {
    /// `Mm.w.d`: the day of a week of a month; week 5 is the last one. Day 0 is Sunday.
    case weekday(month: Int, week: Int, day: Int)
    /// `Jn`: from 1 to 365; 29 February has no number.
    case ordinary(Int)
    /// `n`: from 0 to 365, with 29 February.
    case counted(Int)
  }

  private struct Change: Sendable, Hashable {
    let day: Day
    /// Seconds after midnight, in the local time before the change.
    let time: Int
  }

  private struct Summer: Sendable, Hashable {
    /// Seconds east of UTC.
    let offset: Int
    let start: Change, end: Change
  }

  /// Seconds east of UTC without summer time.
  let standard: Int
  private let summer: Summer?

  /// Reads a rule such as `EST5EDT,M3.2.0,M11.1.0`; nil for other texts.
  init?(_ text: ArraySlice<UInt8>) {
    var text = text
    guard Self.skipName(&text), let west = Self.time(&text) else { return nil }
    standard = -west
    if text.isEmpty {
      summer = nil
      return
    }
    guard Self.skipName(&text) else { return nil }
    var offset = standard + 3600
    if let first = text.first, first != UInt8(ascii: ",") {
      guard let west = Self.time(&text) else { return nil }
      offset = -west
    }
    guard let start = Self.change(&text), let end = Self.change(&text), text.isEmpty else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// The changes in the year of an instant, the year before and the year after, in order.
  func transitions(around seconds: Int64) -> [ZoneRules.Transition] {
    guard let summer, let year = CivilTime(secondsSince1970: seconds)?.year else { return [] }
    var changes: [ZoneRules.Transition] = []
    for year in year - 1...year + 1 {
      changes.append(
        .init(
          at: Self.local(summer.start, in: year) - Int64(standard), before: standard, after: summer.offset))
      changes.append(
        .init(
          at: Self.local(summer.end, in: year) - Int64(summer.offset), before: summer.offset, after: standard))
    }
    return changes.sorted { $0.at < $1.at }
  }

  /// The local time of a change, in seconds since 1970 as if it were UTC.
  private static func local(_ change: Change, in year: Int) -> Int64 {
    let january = GregorianCalendar.number(year: year, month: 1, day: 1)
    let number: Int
    switch change.day {
    case .counted(let count): number = january + count
    case .ordinary(let count):
      let isAfterFebruary = count >= 60 && GregorianCalendar.length(ofMonth: 2, in: year) == 29
      number = january + count - (isAfterFebruary ? 0 : 1)
    case .weekday(let month, let week, let day):
      let first = GregorianCalendar.number(year: year, month: month, day: 1)
      // 1970-01-01, day 0, was a Thursday.
      let weekday = ((first + 4) % 7 + 7) % 7
      let start = (day - weekday + 7) % 7
      let last = GregorianCalendar.length(ofMonth: month, in: year) - 1
      var index = start + (week - 1) * 7
      if index > last { index -= 7 }
      number = first + index
    }
    return Int64(number) * 86_400 + Int64(change.time)
  }

  // MARK: - Reading

  private static func skipName(_ text: inout ArraySlice<UInt8>) -> Bool {
    if text.first == UInt8(ascii: "<") {
      guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return false }
      text = text[(end + 1)...]
      return true
    }
    let rest = text.drop { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
    guard text.count - rest.count >= 3 else { return false }
    text = rest
    return true
  }

  private static func number(_ text: inout ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    let digits = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard (1...3).contains(digits.count) else { return nil }
    text = text.dropFirst(digits.count)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(value) ? value : nil
  }

  /// A time `[+-]h[:m[:s]]` of at most 167 hours, in seconds.
  private static func time(_ text: inout ArraySlice<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { text = text.dropFirst() }
    guard var value = number(&text, 0...167).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where text.first == UInt8(ascii: ":") {
      text = text.dropFirst()
      guard let part = number(&text, 0...59) else { return nil }
      value += part * unit
    }
    return isNegative ? -value : value
  }

  private static func change(_ text: inout ArraySlice<UInt8>) -> Change? {
    guard text.popFirst() == UInt8(ascii: ",") else { return nil }
    let day: Day
    switch text.first {
    case UInt8(ascii: "M")?:
      text = text.dropFirst()
      guard let month = number(&text, 1...12), text.popFirst() == UInt8(ascii: "."), let week = number(&text, 1...5),
        text.popFirst() == UInt8(ascii: "."), let weekday = number(&text, 0...6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    case UInt8(ascii: "J")?:
      text = text.dropFirst()
      guard let count = number(&text, 1...365) else { return nil }
      day = .ordinary(count)
    default:
      guard let count = number(&text, 0...365) else { return nil }
      day = .counted(count)
    }
    guard text.first == UInt8(ascii: "/") else { return Change(day: day, time: 2 * 3600) }
    text = text.dropFirst()
    return time(&text).map { Change(day: day, time: $0) }
  }
}
