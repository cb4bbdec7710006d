internal import TimeSyntax

/// Reads durations.
///
/// The format is ISO 8601 (`PT1H30M`, `P7D`, `P2W`) or short (`250ms`, `30s`, `5m`, `1h`, `7d`, also `1h30m`).
package enum DurationText {
  static let expected = "a duration such as 30s, 5m, 1h, 7d or PT30S"

  /// Parses a duration and returns it in seconds, which are not negative.
  package static func seconds(in text: String) throws(ValueError) -> Double {
    let bytes = Array(text.utf8)
    let value = bytes.first == UInt8(ascii: "P") ? try iso(bytes.dropFirst()) : try short(bytes[...], text)
    guard value.isFinite, value <= 1e12 else { throw ValueError(expected: expected, detail: "it is too long") }
    return value
  }

  /// Parses the short format. Units are in order from long to short, each at most once.
  private static func short(_ bytes: ArraySlice<UInt8>, _ text: String) throws(ValueError) -> Double {
    var rest = bytes
    var total = 0.0
    var last = Double.infinity
    guard !rest.isEmpty else { throw ValueError(expected: expected) }
    while !rest.isEmpty {
      let number = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
      let digits = String(decoding: number, as: UTF8.self)
      guard NumberText.isNumber(digits), let value = Double(digits) else { throw ValueError(expected: expected) }
      rest = rest.dropFirst(number.count)
      let space = rest.prefix { ASCII.isSpace($0) }
      let unit = rest.dropFirst(space.count).prefix { ASCII.isLetter($0) }
      rest = rest.dropFirst(space.count + unit.count)
      let name = String(decoding: unit, as: UTF8.self)
      guard let factor = unitSeconds(name), space.isEmpty else {
        throw unitError(
          name, digits, value, isSpaced: !space.isEmpty, isWhole: number.count + space.count + unit.count == bytes.count
        )
      }
      guard factor < last else {
        throw ValueError(expected: expected, detail: "units must be in order from long to short")
      }
      last = factor
      total += value * factor
    }
    return total
  }

  /// The error for a number without a unit, or with an unknown one.
  ///
  /// - Parameter isWhole: whether the text has only this number and unit, so that it can be corrected.
  private static func unitError(
    _ unit: String, _ digits: String, _ value: Double, isSpaced: Bool, isWhole: Bool
  ) -> ValueError {
    guard !unit.isEmpty else {
      // A number of thousands is probably in milliseconds, as in many programs.
      let isEither = value >= 1000
      return ValueError(
        expected: isEither ? "\(digits)ms or \(digits)s" : expected, detail: "the unit is missing",
        suggestion: isWhole && !isEither ? digits + "s" : nil)
    }
    let suggestion = isWhole ? suggestion(for: unit).map { digits + $0 } : nil
    guard unitSeconds(unit) == nil || !isSpaced else {
      return ValueError(expected: expected, detail: "no space is allowed before the unit", suggestion: suggestion)
    }
    let isLong = ["w", "week", "weeks", "mo", "month", "months", "y", "yr", "year", "years"].contains(unit.lowercased())
    return ValueError(
      expected: isLong ? "a number of days, for example 7d, 30d or 365d" : expected,
      detail: "'\(unit)' is not a unit; units are ms, s, m, h and d", suggestion: suggestion)
  }

  private static func unitSeconds(_ name: String) -> Double? {
    switch name {
    case "ms": 0.001
    case "s": 1
    case "m": 60
    case "h": 3600
    case "d": 86400
    default: nil
    }
  }

  private static func suggestion(for unit: String) -> String? {
    switch unit.lowercased() {
    case "sec", "secs", "second", "seconds": "s"
    case "min", "mins", "minute", "minutes": "m"
    case "hr", "hrs", "hour", "hours": "h"
    case "day", "days": "d"
    case "msec", "millis", "milliseconds": "ms"
    case "s", "m", "h", "d", "ms": unit.lowercased()
    default: nil
    }
  }

  private static func iso(_ bytes: ArraySlice<UInt8>) throws(ValueError) -> Double {
    var rest = bytes
    var total = 0.0
    var isTime = false
    var last = Double.infinity
    var fields = 0
    while let lead = rest.first {
      if lead == UInt8(ascii: "T"), !isTime {
        isTime = true
        rest.removeFirst()
        guard !rest.isEmpty else { throw ValueError(expected: expected, detail: "nothing follows the 'T'") }
        continue
      }
      let number = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
      rest = rest.dropFirst(number.count)
      guard let unit = rest.popFirst(), NumberText.isNumber(trimmed(number)), let value = Double(trimmed(number))
      else { throw ValueError(expected: expected) }
      let factor = try isoUnit(unit, isTime: isTime)
      guard factor < last else {
        throw ValueError(expected: expected, detail: "units must be in order from long to short")
      }
      last = factor
      total += value * factor
      fields += 1
    }
    guard fields > 0 else { throw ValueError(expected: expected) }
    return total
  }

  /// Removes leading zeros, which ISO 8601 allows (`PT05M`).
  private static func trimmed(_ digits: ArraySlice<UInt8>) -> String {
    var rest = digits
    while rest.count > 1, rest.first == UInt8(ascii: "0"), ASCII.isDigit(rest[rest.startIndex + 1]) {
      rest.removeFirst()
    }
    return String(decoding: rest, as: UTF8.self)
  }

  private static func isoUnit(_ unit: UInt8, isTime: Bool) throws(ValueError) -> Double {
    switch (unit, isTime) {
    case (UInt8(ascii: "W"), false): return 604_800
    case (UInt8(ascii: "D"), false): return 86400
    case (UInt8(ascii: "H"), true): return 3600
    case (UInt8(ascii: "M"), true): return 60
    case (UInt8(ascii: "S"), true): return 1
    case (UInt8(ascii: "Y"), false), (UInt8(ascii: "M"), false):
      throw ValueError(expected: expected, detail: "years and months have no fixed length; use days")
    default: throw ValueError(expected: expected)
    }
  }
}

/// Checks dates and timestamps in the complete, extended format of ISO 8601 (RFC 3339).
package enum CalendarText {
  /// Throws an error if a text is not an existing day in the format `YYYY-MM-DD`.
  package static func checkDate(_ text: String) throws(ValueError) {
    guard isDate(text) else {
      throw ValueError(expected: "a date", detail: "write it as 2024-01-31")
    }
  }

  /// Throws an error if a text is not a date with a time and an offset: `2024-01-31T12:00:00Z`.
  package static func checkTimestamp(_ text: String) throws(ValueError) {
    guard isTimestamp(Array(text.utf8)) else {
      throw ValueError(
        expected: "a timestamp with an offset", detail: "write it as 2024-01-31T12:00:00Z or …+02:00",
        suggestion: isDate(text) ? text + "T00:00:00Z" : nil)
    }
  }

  /// Throws an error if a text is not a timestamp in the format of persisted results.
  ///
  /// The format is UTC with seconds. A fraction has no trailing zeros.
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

  private static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = TextScanner(bytes)
      return bytes.count == 10 && ISO8601.date(&scanner) != nil && scanner.isAtEnd
    }
  }

  /// Whether a text is an instant in the extended format, with colons also in the offset.
  private static func isTimestamp(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 17, bytes[4] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), !bytes.contains(0x20)
    else { return false }
    let end = bytes[(bytes.count - 3)...]
    guard end.last.map({ $0 | 0x20 }) == UInt8(ascii: "z") || end.first == UInt8(ascii: ":") else { return false }
    return bytes.withUnsafeBufferPointer { ISO8601.instant($0) } != nil
  }
}
