package import JSONSyntax

/// Reads and writes instants in the persisted format and in the formats of payloads.
package enum InstantText {
  /// Appends `YYYY-MM-DDTHH:MM:SS[.fff…]Z`, with the fewest fraction digits that are exact.
  package static func append(_ time: CivilTime, to out: ByteBuffer) {
    appendPadded(time.year, 4, to: out)
    out.append(UInt8(ascii: "-"))
    appendPadded(time.month, 2, to: out)
    out.append(UInt8(ascii: "-"))
    appendPadded(time.day, 2, to: out)
    out.append(UInt8(ascii: "T"))
    appendPadded(time.hour, 2, to: out)
    out.append(UInt8(ascii: ":"))
    appendPadded(time.minute, 2, to: out)
    out.append(UInt8(ascii: ":"))
    appendPadded(time.second, 2, to: out)
    appendFraction(time.nanosecond, to: out)
    out.append(UInt8(ascii: "Z"))
  }

  /// Appends `.` and the digits of a fraction in nanoseconds, without trailing zeros; appends nothing for zero.
  package static func appendFraction(_ nanosecond: Int, to out: ByteBuffer) {
    guard nanosecond > 0 else { return }
    var digits = 9
    var value = nanosecond
    while value % 10 == 0 {
      value /= 10
      digits -= 1
    }
    out.append(UInt8(ascii: "."))
    appendPadded(value, digits, to: out)
  }

  package static func appendPadded(_ value: Int, _ width: Int, to out: ByteBuffer) {
    var scale: UInt = 1
    for _ in 1..<max(width, 1) { scale *= 10 }
    if value < 0 { out.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    while scale > 0 {
      out.append(UInt8(truncatingIfNeeded: rest / scale % 10) &+ 0x30)
      rest %= scale
      scale /= 10
    }
  }

  /// The time of milliseconds since 1970 in RFC 3339, in UTC, with three digits of a fraction.
  package static func text(milliseconds: Int64) -> String {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let digits = String(1000 + abs(rest)).dropFirst()
    return "\(text(seconds).dropLast()).\(digits)Z"
  }

  /// The time in RFC 3339, in UTC, to the second.
  ///
  /// Outside the years 0 to 9999, the text is the number of seconds after 1970.
  package static func text(_ secondsSince1970: Int64) -> String {
    guard let time = CivilTime(secondsSince1970: secondsSince1970) else { return "\(secondsSince1970) s after 1970" }
    let out = ByteBuffer(capacity: 24)
    append(time, to: out)
    return String(decoding: out.copy(), as: UTF8.self)
  }

  /// The seconds since 1970 of a text in the format of `text(_:)`; nil for any other text.
  package static func seconds(_ text: String) -> Int64? {
    guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z") else { return nil }
    return instant(text)?.secondsSince1970
  }

  /// The instant of an ISO 8601 text with a zone, converted to UTC; nil for any other text.
  package static func instant(_ text: String) -> CivilTime? {
    var text = text
    return text.withUTF8 { ISO8601.instant($0) }
  }

  /// The instant of a number of seconds or milliseconds since 1970; nil when it is not exact to the nanosecond.
  package static func epoch(_ digits: UnsafeBufferPointer<UInt8>, unitsPerSecond: Int) -> CivilTime? {
    var scanner = TextScanner(digits)
    let negative = scanner.skip(UInt8(ascii: "-"))
    guard let whole = scanner.digits(1, 17) else { return nil }
    var nanosecond = 0
    if scanner.skip(UInt8(ascii: ".")) {
      guard let fraction = scanner.nanoseconds() else { return nil }
      guard fraction % unitsPerSecond == 0 else { return nil }
      nanosecond = fraction / unitsPerSecond
    }
    guard scanner.isAtEnd else { return nil }
    var seconds = Int64(whole / unitsPerSecond)
    nanosecond += whole % unitsPerSecond * (1_000_000_000 / unitsPerSecond)
    if negative {
      seconds = -seconds
      if nanosecond > 0 {
        seconds -= 1
        nanosecond = 1_000_000_000 - nanosecond
      }
    }
    return CivilTime(secondsSince1970: seconds, nanosecond: nanosecond)
  }
}
