internal import TimeSyntax

/// Checks dates and timestamps of ISO 8601 in their complete, extended form (RFC 3339).
public enum CalendarText {
  /// Refuses what is not `YYYY-MM-DD` with a day that exists.
  public static func checkDate(_ text: String) throws(ValueError) {
    guard isDate(text) else {
      throw ValueError(expected: "a date", detail: "write it as 2024-01-31")
    }
  }

  /// Refuses what is not a date, a time and an offset: `2024-01-31T12:00:00Z`.
  public static func checkTimestamp(_ text: String) throws(ValueError) {
    guard isTimestamp(Array(text.utf8)) else {
      throw ValueError(
        expected: "a timestamp with an offset", detail: "write it as 2024-01-31T12:00:00Z or …+02:00",
        suggestion: isDate(text) ? text + "T00:00:00Z" : nil)
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

  private static func isDate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = TextScanner(bytes)
      return bytes.count == 10 && ISO8601.date(&scanner) != nil && scanner.isAtEnd
    }
  }

  /// Whether it is an instant in the extended form, with colons also in the offset.
  private static func isTimestamp(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 17, bytes[4] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), !bytes.contains(0x20)
    else { return false }
    let end = bytes[(bytes.count - 3)...]
    guard end.last.map({ $0 | 0x20 }) == UInt8(ascii: "z") || end.first == UInt8(ascii: ":") else { return false }
    return bytes.withUnsafeBufferPointer { ISO8601.instant($0) } != nil
  }
}
