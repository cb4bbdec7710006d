/// Checks dates and timestamps of ISO 8601 in their complete, extended form (RFC 3339).
public enum CalendarText {
  /// Refuses what is not `YYYY-MM-DD` with a day that exists.
  public static func checkDate(_ text: String) throws(ValueError) {
    guard date(Array(text.utf8)[...]) != nil else {
      throw ValueError(expected: "a date", detail: "write it as 2024-01-31")
    }
  }

  /// Refuses what is not a date, a time and an offset: `2024-01-31T12:00:00Z`.
  public static func checkTimestamp(_ text: String) throws(ValueError) {
    let bytes = Array(text.utf8)
    guard let rest = date(bytes[...], whole: false), rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "t"),
      isTimeWithOffset(rest.dropFirst())
    else {
      throw ValueError(
        expected: "a timestamp with an offset", detail: "write it as 2024-01-31T12:00:00Z or …+02:00",
        suggestion: date(bytes[...]) == nil ? nil : text + "T00:00:00Z")
    }
  }

  /// Refuses what is not a timestamp in the one form in which results keep them: UTC, with seconds, fractions without
  /// trailing zeros.
  static func checkInstant(_ text: String) throws(ValueError) {
    try checkTimestamp(text)
    let bytes = Array(text.utf8)
    let fraction = bytes.dropFirst(19).dropLast()
    let isShort = fraction.isEmpty || (fraction.first == UInt8(ascii: ".") && fraction.last != UInt8(ascii: "0"))
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
      bytes[16] == UInt8(ascii: ":"), !bytes[17...18].elementsEqual(Array("60".utf8)), isShort, fraction.count <= 10
    else {
      throw ValueError(expected: "a timestamp in UTC", detail: "write it as 2024-01-31T12:00:00Z")
    }
  }

  /// What follows a date, nil when there is none or, with `whole`, when something follows.
  private static func date(_ bytes: ArraySlice<UInt8>, whole: Bool = true) -> ArraySlice<UInt8>? {
    guard let (year, afterYear) = digits(bytes, 4), afterYear.first == UInt8(ascii: "-"),
      let (month, afterMonth) = digits(afterYear.dropFirst(), 2), afterMonth.first == UInt8(ascii: "-"),
      let (day, rest) = digits(afterMonth.dropFirst(), 2), !whole || rest.isEmpty,
      (1...12).contains(month), day >= 1, day <= days(in: month, of: year)
    else { return nil }
    return rest
  }

  private static func isTimeWithOffset(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let (hour, afterHour) = digits(bytes, 2), hour <= 23, afterHour.first == UInt8(ascii: ":"),
      let (minute, afterMinute) = digits(afterHour.dropFirst(), 2), minute <= 59
    else { return false }
    var rest = afterMinute
    if rest.first == UInt8(ascii: ":") {
      guard let (second, afterSecond) = digits(rest.dropFirst(), 2), second <= 60 else { return false }
      rest = afterSecond
      if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
        let fraction = rest.dropFirst().prefix(while: ASCII.isDigit)
        guard !fraction.isEmpty else { return false }
        rest = rest.dropFirst(1 + fraction.count)
      }
    }
    if rest.count == 1, rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return true }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let (hours, afterHours) = digits(rest.dropFirst(), 2), hours <= 23, afterHours.first == UInt8(ascii: ":"),
      let (minutes, end) = digits(afterHours.dropFirst(), 2), minutes <= 59
    else { return false }
    return end.isEmpty
  }

  private static func digits(_ bytes: ArraySlice<UInt8>, _ count: Int) -> (Int, ArraySlice<UInt8>)? {
    let head = bytes.prefix(count)
    guard head.count == count, head.allSatisfy(ASCII.isDigit) else { return nil }
    return (head.reduce(0) { $0 * 10 + Int($1 &- 0x30) }, bytes.dropFirst(count))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
