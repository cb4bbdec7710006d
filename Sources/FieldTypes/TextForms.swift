package import TimeSyntax

/// Exact checks of the text formats of the field types.
package enum TextForms {
  /// Returns the text if it is a decimal integer, nil otherwise.
  ///
  /// A minus sign is allowed. A plus sign and leading zeros are not.
  package static func wholeNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let first = bytes.first == UInt8(ascii: "-") ? 1 : 0
    guard bytes.count > first, bytes[first] != 0x30 || bytes.count == first + 1 else { return nil }
    for position in first..<bytes.count where bytes[position] &- 0x30 > 9 { return nil }
    return bytes
  }

  /// Whether the text is a number in JSON's grammar.
  package static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // This runs once for every decimal, so it uses plain indices: no scanner and no captured variables.
    var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
    let whole = endOfDigits(bytes, from: position)
    guard whole > position, whole == position + 1 || bytes[position] != 0x30 else { return false }
    position = whole
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      let end = endOfDigits(bytes, from: position + 1)
      guard end > position + 1 else { return false }
      position = end
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      let end = endOfDigits(bytes, from: position)
      guard end > position else { return false }
      position = end
    }
    return position == bytes.count
  }

  @inline(__always)
  private static func endOfDigits(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] &- 0x30 <= 9 { position += 1 }
    return position
  }

  /// The instant of an ISO 8601 date and time without a time zone, taken as UTC; nil for other texts.
  package static func localTime(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    guard bytes.count <= 40 else { return nil }
    let zoned = Array(bytes) + [UInt8(ascii: "Z")]
    return zoned.withUnsafeBufferPointer { ISO8601.instant($0) }
  }

  /// Whether the text is a UUID: 8-4-4-4-12 hexadecimal digits.
  package static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for (position, byte) in bytes.enumerated() {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return false }
      } else {
        guard byte &- 0x30 <= 9 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66) else { return false }
      }
    }
    return true
  }

  /// Whether the text is a calendar date: `YYYY-MM-DD`.
  package static func isDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 10 else { return false }
    var scanner = TextScanner(bytes)
    return ISO8601.date(&scanner) != nil && scanner.isAtEnd
  }

  /// Whether the text is an absolute URL or IRI (RFC 3986).
  ///
  /// It has a scheme and a colon, and contains only characters that a URI or IRI may contain.
  package static func isAbsoluteURL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, bytes.count > colon + 1 else { return false }
    for (position, byte) in bytes[..<colon].enumerated() {
      let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
      let isOther = byte &- 0x30 <= 9 || "+-.".utf8.contains(byte)
      guard isLetter || (position > 0 && isOther) else { return false }
    }
    return !bytes[colon...].contains { $0 <= 0x20 || $0 == 0x7F || "\"<>\\^`{|}".utf8.contains($0) }
  }

  /// Whether the text is Base64 (RFC 4648, section 4).
  ///
  /// It consists of groups of four characters, has padding only at the end, and its unused bits are zero.
  package static func isBase64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count % 4 == 0 else { return false }
    guard bytes.count > 0 else { return true }
    let padding = bytes[bytes.count - 1] != UInt8(ascii: "=") ? 0 : bytes[bytes.count - 2] == UInt8(ascii: "=") ? 2 : 1
    func value(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): 62
      case UInt8(ascii: "/"): 63
      default: nil
      }
    }
    let digits = bytes[..<(bytes.count - padding)]
    guard digits.allSatisfy({ value($0) != nil }), let last = digits.last.flatMap(value) else { return false }
    return padding == 0 || last & (padding == 1 ? 0x03 : 0x0F) == 0
  }

  /// Whether the text is a duration.
  ///
  /// A duration is in ISO 8601 (`P1DT2H30M`, `PT0.5S`, `P2W`), or a number with the unit `ms`, `s`, `m`, `h` or `d`.
  package static func isDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
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
      scanner.position += 1
      parts += 1
      if hasFraction, !scanner.isAtEnd { return false }
    }
    return parts > 0
  }

  private static func isShortDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = TextScanner(bytes)
    guard scanner.digits(1, 15) != nil else { return false }
    let unit = bytes[scanner.position...].map { $0 }
    return ["ms", "s", "m", "h", "d"].contains { Array($0.utf8) == unit }
  }
}
