extension JSONNumber {
  /// Which of two numbers is greater, by their exact decimal values: -1, 0 or 1 as this one is less, equal or greater.
  ///
  /// No rounding: 9007199254740993 and 9007199254740992 differ, `1`, `1.0` and `10e-1` do not.
  package func compare(_ other: JSONNumber) -> Int {
    if let left = smallInteger, let right = other.smallInteger { return left < right ? -1 : left > right ? 1 : 0 }
    return Decimal(text).compare(Decimal(other.text))
  }

  /// The value of a token of at most 18 digits and nothing else but a sign, which is the usual kind.
  private var smallInteger: Int64? {
    let bytes = text.utf8
    guard bytes.count <= 18 else { return nil }
    var magnitude: Int64 = 0
    for byte in bytes {
      let digit = byte &- 0x30
      if digit <= 9 {
        magnitude = magnitude * 10 + Int64(digit)
      } else if byte != UInt8(ascii: "-") {
        return nil
      }
    }
    return bytes.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  /// A number as sign × 0.d₁d₂d₃… × 10^exponent, without leading or trailing zeros; zero has no digits.
  private struct Decimal {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ token: String) {
      var fraction = 0
      var afterPoint = false
      var written = 0
      var writtenIsNegative = false
      var inExponent = false
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "-"):
          if inExponent { writtenIsNegative = true } else { isNegative = true }
        case UInt8(ascii: "+"):
          continue
        case UInt8(ascii: "."):
          afterPoint = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          inExponent = true
        default:
          let digit = byte &- 0x30
          if inExponent {
            // No token is so long that its digits could make up for an exponent of this size.
            written = min(written * 10 + Int(digit), 1 << 56)
          } else {
            if afterPoint { fraction += 1 }
            if digit != 0 || !digits.isEmpty { digits.append(digit) }
          }
        }
      }
      exponent = digits.count - fraction + (writtenIsNegative ? -written : written)
      while digits.last == 0 { digits.removeLast() }
      if digits.isEmpty {
        isNegative = false
        exponent = 0
      }
    }

    func compare(_ other: Decimal) -> Int {
      let sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
      let otherSign = other.digits.isEmpty ? 0 : other.isNegative ? -1 : 1
      if sign != otherSign { return sign < otherSign ? -1 : 1 }
      if sign == 0 { return 0 }
      if exponent != other.exponent { return exponent < other.exponent ? -sign : sign }
      if digits == other.digits { return 0 }
      return digits.lexicographicallyPrecedes(other.digits) ? -sign : sign
    }
  }
}
