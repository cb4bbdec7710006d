/// A number token (RFC 8259, section 6) as sign × 0.d₁d₂d₃… × 10^exponent, without leading or trailing zeros.
package struct NumberToken {
  private var isNegative = false
  /// The values (0 to 9) of the digits d₁, d₂, …; empty for the number zero.
  package private(set) var digits: [UInt8] = []
  package private(set) var exponent = 0

  /// Parses a token that matches JSON's number grammar.
  package init(_ token: some Sequence<UInt8>) {
    var fraction = 0
    var afterPoint = false
    var written = 0
    var writtenIsNegative = false
    var inExponent = false
    for byte in token {
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
          // No token has enough digits to compensate an exponent of this size.
          written = min(written * 10 + Int(digit), 1 << 56)
        } else {
          if afterPoint { fraction += 1 }
          if digit != 0 || !digits.isEmpty { digits.append(digit) }
        }
      }
    }
    exponent = digits.count - fraction + (writtenIsNegative ? -written : written)
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  /// The value of a token if it is exactly a 64-bit integer (`42`, `42.0`, `4.2e1`); otherwise nil.
  package static func exactInt64(_ token: some Collection<UInt8>) -> Int64? {
    smallInteger(token) ?? NumberToken(token).exactInt64
  }

  /// The value of a short integer token: at most 18 bytes, only digits after an optional minus; nil for other tokens.
  static func smallInteger(_ token: some Collection<UInt8>) -> Int64? {
    guard token.count <= 18 else { return nil }
    var magnitude: Int64 = 0
    for byte in token {
      let digit = byte &- 0x30
      if digit <= 9 { magnitude = magnitude * 10 + Int64(digit) } else if byte != UInt8(ascii: "-") { return nil }
    }
    return token.first == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  private var exactInt64: Int64? {
    guard digits.count <= exponent, exponent <= 19 else { return digits.isEmpty ? 0 : nil }
    var value: Int64 = 0
    for index in 0..<exponent {
      let digit = index < digits.count ? Int64(digits[index]) : 0
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// Compares two numbers: -1 for less, 0 for equal, 1 for greater.
  func compare(_ other: NumberToken) -> Int {
    let sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
    let otherSign = other.digits.isEmpty ? 0 : other.isNegative ? -1 : 1
    if sign != otherSign { return sign < otherSign ? -1 : 1 }
    if exponent != other.exponent { return exponent < other.exponent ? -sign : sign }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? -sign : sign
  }
}

extension JSONNumber {
  /// Compares the exact decimal values: -1 for less, 0 for equal, 1 for greater.
  ///
  /// There is no rounding: 9007199254740993 and 9007199254740992 are different, but `1`, `1.0` and `10e-1` are equal.
  package func compare(_ other: JSONNumber) -> Int {
    if let left = smallInteger, let right = other.smallInteger { return left < right ? -1 : left > right ? 1 : 0 }
    return NumberToken(text.utf8).compare(NumberToken(other.text.utf8))
  }

  /// The value of a token of at most 18 bytes without a decimal point and exponent; nil for other tokens.
  package var smallInteger: Int64? { NumberToken.smallInteger(text.utf8) }
}
