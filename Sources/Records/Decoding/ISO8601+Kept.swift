internal import TimeSyntax

extension ISO8601 {
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
    guard day <= 28 || day <= GregorianCalendar.length(ofMonth: month, in: year) else { return false }
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
