/// A reader of fixed text forms over a stretch of bytes.
struct TextScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  /// Exactly `count` decimal digits.
  mutating func digits(_ count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    var value = 0
    for offset in 0..<count {
      let digit = bytes[place + offset] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    place += count
    return value
  }

  /// From `least` to `most` decimal digits, as many as there are.
  mutating func digits(_ least: Int, _ most: Int) -> Int? {
    var value = 0
    var count = 0
    while count < most, let byte = next, byte &- 0x30 <= 9 {
      value = value * 10 + Int(byte &- 0x30)
      place += 1
      count += 1
    }
    return count >= least ? value : nil
  }

  /// A fraction's digits as nanoseconds; more than nine significant digits would be lost, so they are refused.
  mutating func nanoseconds() -> Int? {
    var value = 0
    var count = 0
    while let byte = next, byte &- 0x30 <= 9 {
      if count < 9 { value = value * 10 + Int(byte &- 0x30) } else if byte != 0x30 { return nil }
      count += 1
      place += 1
    }
    guard count > 0 else { return nil }
    while count < 9 {
      value *= 10
      count += 1
    }
    return value
  }

  /// `Z`, `z` or `±hh[[:]mm]` as seconds east of UTC.
  mutating func zone() -> Int? {
    guard let sign = next else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") {
      place += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    place += 1
    guard let hours = digits(2), hours <= 23 else { return nil }
    var minutes = 0
    if skip(UInt8(ascii: ":")) {
      guard let read = digits(2) else { return nil }
      minutes = read
    } else if let byte = next, byte &- 0x30 <= 9 {
      guard let read = digits(2) else { return nil }
      minutes = read
    }
    guard minutes <= 59 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }
}

/// ISO 8601 dates and times, as RFC 3339 profiles them.
enum ISO8601 {
  /// The date `YYYY-MM-DD` or `YYYYMMDD`, checked against the calendar.
  static func date(_ scanner: inout TextScanner) -> CivilTime? {
    guard let year = scanner.digits(4) else { return nil }
    let extended = scanner.skip(UInt8(ascii: "-"))
    guard let month = scanner.digits(2) else { return nil }
    if extended, !scanner.skip(UInt8(ascii: "-")) { return nil }
    guard let day = scanner.digits(2) else { return nil }
    let time = CivilTime(year: year, month: month, day: day)
    return time.isDate ? time : nil
  }

  /// An instant with a zone: date, `T` or a space, time with optional seconds and fraction, zone.
  static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    var scanner = TextScanner(bytes)
    guard var time = date(&scanner) else { return nil }
    guard let separator = scanner.next, separator | 0x20 == UInt8(ascii: "t") || separator == 0x20 else { return nil }
    scanner.place += 1
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

  /// Whether the text is already in the form that is kept: `YYYY-MM-DDTHH:MM:SSZ` of an existing instant.
  @inline(__always)
  static func isKeptForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[19] == UInt8(ascii: "Z")
    else { return false }
    @inline(__always) func pair(_ place: Int) -> Int {
      let tens = bytes[place] &- 0x30
      let ones = bytes[place + 1] &- 0x30
      return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : -100_000
    }
    let year = pair(0) * 100 + pair(2)
    let month = pair(5)
    let day = pair(8)
    guard year >= 0, month >= 1, month <= 12, day >= 1, day <= 31 else { return false }
    guard day <= 28 || day <= CivilTime.days(inMonth: month, of: year) else { return false }
    let hour = pair(11)
    let minute = pair(14)
    let second = pair(17)
    return hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59
  }

  /// Whether the text is an ISO 8601 duration (`P1DT2H30M`, `PT0.5S`, `P2W`), or a number with `ms`, `s`, `m`, `h` or `d`.
  static func isDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = TextScanner(bytes)
    _ = scanner.skip(UInt8(ascii: "-"))
    guard scanner.skip(UInt8(ascii: "P")) else { return isShortDuration(bytes) }
    var units: [UInt8] = Array("YMWD".utf8)
    var inTime = false
    var parts = 0
    while !scanner.isAtEnd {
      if !inTime, scanner.skip(UInt8(ascii: "T")) {
        inTime = true
        units = Array("HMS".utf8)
        guard !scanner.isAtEnd else { return false }
        continue
      }
      guard scanner.digits(1, 18) != nil else { return false }
      let hasFraction = scanner.skip(UInt8(ascii: ".")) || scanner.skip(UInt8(ascii: ","))
      if hasFraction, scanner.digits(1, 18) == nil { return false }
      guard let unit = scanner.next, let rank = units.firstIndex(of: unit) else { return false }
      units.removeFirst(rank + 1)
      scanner.place += 1
      parts += 1
      if hasFraction, !scanner.isAtEnd { return false }
    }
    return parts > 0
  }

  private static func isShortDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = TextScanner(bytes)
    guard scanner.digits(1, 15) != nil else { return false }
    let unit = bytes[scanner.place...].map { $0 }
    return ["ms", "s", "m", "h", "d"].contains { Array($0.utf8) == unit }
  }
}
