/// Reads and writes hexadecimal digits.
package enum Hex {
  /// The value of a digit; nil for any other byte.
  package static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The bytes of pairs of digits; nil for other text.
  package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = value(digit) else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    return bytes
  }

  /// Appends the two digits of a byte.
  package static func append(_ byte: UInt8, to bytes: inout [UInt8], isUpper: Bool = false) {
    bytes.append(digit(byte >> 4, isUpper))
    bytes.append(digit(byte & 15, isUpper))
  }

  private static func digit(_ value: UInt8, _ isUpper: Bool) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: isUpper ? "A" : "a") + (value - 10)
  }

  /// The number of up to sixteen digits; nil for other text.
  package static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard (1...16).contains(digits.count) else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  /// The lower-case digits of bytes.
  package static func text(_ source: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 2 * source.count) { digits in
      var end = 0
      for byte in source {
        digits[end] = digit(byte >> 4, false)
        digits[end + 1] = digit(byte & 15, false)
        end += 2
      }
      return end
    }
  }

  /// The sixteen lower-case digits of a number.
  package static func text(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { digits in
      for place in 0..<16 {
        digits[place] = digit(UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * place)) & 15, false)
      }
      return 16
    }
  }
}
