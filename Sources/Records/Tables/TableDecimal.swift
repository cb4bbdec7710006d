internal import JSONSyntax

/// An exact decimal in the form of PostgreSQL's `numeric`: groups of four digits, a weight, a sign and a scale.
struct TableDecimal {
  private var groups: [Int16] = []
  /// The exponent of the first group, to the base 10,000.
  private var weight = 0
  private var isNegative = false
  /// The number of digits after the point.
  private var scale = 0

  /// Reads a decimal text; nil when `numeric` cannot store it.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let token = NumberToken(text)
    isNegative = text.first == UInt8(ascii: "-") && !token.digits.isEmpty
    scale = Self.scale(text)
    guard scale <= 16_383, token.exponent <= 131_072, token.exponent >= -16_383 else { return nil }
    guard !token.digits.isEmpty else { return }
    // `exponent` digits are before the point. The first group may be shorter than four digits.
    let whole = Int((Double(token.exponent) / 4).rounded(.up))
    weight = whole - 1
    var digits = [UInt8](repeating: 0, count: whole * 4 - token.exponent) + token.digits
    while digits.count % 4 != 0 { digits.append(0) }
    for start in stride(from: 0, to: digits.count, by: 4) {
      groups.append(digits[start..<(start + 4)].reduce(0) { $0 * 10 + Int16($1) })
    }
  }

  /// The number of digits after the point of a token, also of one with an exponent.
  private static func scale(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let exponent = Int(String(decoding: text.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    let fraction = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa.endIndex - $0 - 1 } ?? 0
    return max(0, fraction - min(max(exponent, -100_000), 1_000_000))
  }

  func append(to out: ByteBuffer) {
    out.append(bigEndian: Int32(8 + 2 * groups.count))
    out.append(bigEndian: Int16(groups.count))
    out.append(bigEndian: Int16(weight))
    out.append(bigEndian: isNegative ? UInt16(0x4000) : 0)
    out.append(bigEndian: Int16(scale))
    for group in groups { out.append(bigEndian: group) }
  }

  /// The text of a value in this form, with as many digits after the point as its scale; nil for other bytes.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count >= 8 else { return nil }
    func word(_ index: Int) -> Int {
      Int(Int16(bitPattern: UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])))
    }
    let (count, weight, sign, scale) = (word(0), word(1), UInt16(truncatingIfNeeded: word(2)), word(3))
    guard count >= 0, bytes.count == 8 + 2 * count, sign == 0 || sign == 0x4000, scale >= 0 else { return nil }
    func group(_ index: Int) -> String {
      guard index >= 0, index < count else { return "0000" }
      let digits = String(word(4 + index))
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    var whole = weight < 0 ? "0" : (0...weight).map(group).joined()
    whole = String(whole.drop { $0 == "0" })
    var fraction = ""
    var index = weight + 1
    while fraction.count < scale {
      fraction += group(index)
      index += 1
    }
    let text = (whole.isEmpty ? "0" : whole) + (scale > 0 ? "." + fraction.prefix(scale) : "")
    return sign == 0 ? text : "-" + text
  }
}
