/// Reads ISO 8601 dates and times, in the profile of RFC 3339.
package enum ISO8601 {
  /// Reads a date, `YYYY-MM-DD` or `YYYYMMDD`; nil when the calendar has no such date.
  package static func date(_ scanner: inout TextScanner) -> CivilTime? {
    guard let year = scanner.digits(4) else { return nil }
    let extended = scanner.skip(UInt8(ascii: "-"))
    guard let month = scanner.digits(2) else { return nil }
    if extended, !scanner.skip(UInt8(ascii: "-")) { return nil }
    guard let day = scanner.digits(2) else { return nil }
    let time = CivilTime(year: year, month: month, day: day)
    return time.isDate ? time : nil
  }

  /// The beginning of a day in UTC: a date and nothing after it.
  package static func day(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var scanner = TextScanner(bytes)
    let time = date(&scanner)
    return scanner.next == nil ? time : nil
  }

  /// Reads an instant with a zone: date, `T` or a space, time with optional seconds and fraction, zone.
  package static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var scanner = TextScanner(bytes)
    guard var time = date(&scanner) else { return nil }
    guard let separator = scanner.next, separator | 0x20 == UInt8(ascii: "t") || separator == 0x20 else { return nil }
    scanner.position += 1
    guard let hour = scanner.digits(2), hour <= 23 else { return nil }
    let extended = scanner.skip(UInt8(ascii: ":"))
    guard let minute = scanner.digits(2), minute <= 59 else { return nil }
    var second = 0
    if extended ? scanner.skip(UInt8(ascii: ":")) : (scanner.next.map { $0 &- 0x30 <= 9 } ?? false) {
      guard let read = scanner.digits(2), read <= 60 else { return nil }
      second = read
      if scanner.skip(UInt8(ascii: ".")) || scanner.skip(UInt8(ascii: ",")) {
        guard let fraction = scanner.nanoseconds() else { return nil }
        time.nanosecond = fraction
      }
    }
    if extended { _ = scanner.skip(0x20) }
    guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
    time.hour = hour
    time.minute = minute
    time.second = second
    return CivilTime(secondsSince1970: time.secondsSince1970 - Int64(zone), nanosecond: time.nanosecond)
  }
}
