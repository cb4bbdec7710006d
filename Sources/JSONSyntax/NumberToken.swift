/// The exact reading of a number token (RFC 8259, section 6).
package enum NumberToken {
  /// The 64-bit integer that the token denotes exactly, else nil. The token must be in the grammar.
  static func exactInt64(_ token: ArraySlice<UInt8>) -> Int64? {
    token.withUnsafeBufferPointer { exactInt64($0) }
  }

  /// The 64-bit integer that the token denotes exactly (`42`, `42.0`, `4.2e1`), else nil.
  package static func exactInt64(_ token: UnsafeBufferPointer<UInt8>) -> Int64? {
    var index = 0
    let negative = token.first == UInt8(ascii: "-")
    if negative { index = 1 }
    // Digits without the point, and how far the point stands from their end.
    var magnitude: UInt64 = 0
    var digits = 0
    var fraction = 0
    var pendingZeros = 0
    var afterPoint = false
    while index < token.count {
      let byte = token[index]
      if byte == UInt8(ascii: ".") {
        afterPoint = true
      } else if byte &- 0x30 <= 9 {
        if afterPoint { fraction += 1 }
        if byte == 0x30 {
          // Trailing zeros are kept aside: they only count when another digit or the exponent needs them.
          if magnitude != 0 || digits > 0 { pendingZeros += 1 }
        } else {
          for _ in 0..<pendingZeros where !push(0, onto: &magnitude) { return nil }
          pendingZeros = 0
          guard push(byte &- 0x30, onto: &magnitude) else { return nil }
          digits += 1
        }
      } else {
        break
      }
      index += 1
    }
    guard magnitude != 0 else { return 0 }
    var exponent = 0
    if index < token.count {
      index += 1
      var exponentNegative = false
      if index < token.count, token[index] == UInt8(ascii: "+") || token[index] == UInt8(ascii: "-") {
        exponentNegative = token[index] == UInt8(ascii: "-")
        index += 1
      }
      while index < token.count {
        exponent = min(exponent * 10 + Int(token[index] &- 0x30), 1_000_000)
        index += 1
      }
      if exponentNegative { exponent = -exponent }
    }
    let scale = exponent - fraction + pendingZeros
    guard scale >= 0, scale <= 19 else { return nil }
    for _ in 0..<scale where !push(0, onto: &magnitude) { return nil }
    if negative {
      guard magnitude <= 1 << 63 else { return nil }
      return Int64(truncatingIfNeeded: 0 &- magnitude)
    }
    return Int64(exactly: magnitude)
  }

  private static func push(_ digit: UInt8, onto magnitude: inout UInt64) -> Bool {
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
    magnitude = sum
    return !overflow && !carry
  }
}
