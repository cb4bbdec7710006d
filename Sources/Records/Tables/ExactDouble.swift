internal import JSONSyntax

/// Reads number tokens as doubles that keep all their digits.
enum ExactDouble {
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// The double of a token; nil when the digits of its shortest decimal text differ from the digits of the token.
  static func value(of token: UnsafeBufferPointer<UInt8>) -> Double? {
    if let value = short(token) { return value }
    guard let value = Double(String(decoding: token, as: UTF8.self)), value.isFinite else { return nil }
    let (written, read) = (NumberToken(token), NumberToken("\(value)".utf8))
    return written.digits == read.digits && (written.digits.isEmpty || written.exponent == read.exponent) ? value : nil
  }

  /// The double of a token of at most 15 digits without an exponent; nil for other tokens.
  ///
  /// Both the digits and the power of ten are exact doubles, so their quotient is rounded once, which is correct
  /// (Clinger, "How to read floating point numbers accurately", 1990).
  @inline(__always)
  private static func short(_ token: UnsafeBufferPointer<UInt8>) -> Double? {
    guard token.count <= 17 else { return nil }
    var (digits, fraction, count) = (Int64(0), -1, 0)
    for (position, byte) in token.enumerated() {
      if byte &- 0x30 <= 9 {
        digits = digits * 10 + Int64(byte &- 0x30)
        count += 1
        if fraction >= 0 { fraction += 1 }
      } else if byte == UInt8(ascii: "."), fraction < 0 {
        fraction = 0
      } else if position > 0 || byte != UInt8(ascii: "-") {
        return nil
      }
    }
    guard count <= 15 else { return nil }
    let value = Double(digits) / powers[max(fraction, 0)]
    return token.first == UInt8(ascii: "-") ? -value : value
  }
}
