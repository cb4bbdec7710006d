internal import ByteCodings

/// An IPv4 address in any notation that a resolver accepts.
///
/// The notation is one to four numbers, each decimal, octal or hexadecimal. All notations of one address have the same
/// `text`, so that `http://0x7f.1` is recognised as 127.0.0.1.
struct IPv4Address {
  private let bits: UInt32

  /// The address in dotted decimal notation.
  var text: String { "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)" }

  /// Whether a host with these labels can only be an IPv4 address, because its last label is a number.
  static func endsInNumber(_ labels: [ArraySlice<UInt8>]) -> Bool {
    guard let last = withoutEmptyEnd(labels).last else { return false }
    return !last.isEmpty && last.allSatisfy(ASCII.isDigit) || number(last) != nil
  }

  init?(_ labels: [ArraySlice<UInt8>]) {
    let parts = Self.withoutEmptyEnd(labels)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard let number = Self.number(part) else { return nil }
      numbers.append(number)
    }
    // The last number fills the bytes that the numbers before it leave.
    let last = numbers.removeLast()
    guard numbers.allSatisfy({ $0 <= 255 }), last < 1 << UInt64(8 * (4 - numbers.count)) else { return nil }
    var bits = UInt32(truncatingIfNeeded: last)
    for (index, number) in numbers.enumerated() {
      bits |= UInt32(truncatingIfNeeded: number) << UInt32(8 * (3 - index))
    }
    self.bits = bits
  }

  private static func withoutEmptyEnd(_ labels: [ArraySlice<UInt8>]) -> ArraySlice<ArraySlice<UInt8>> {
    labels.count > 1 && labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
  }

  /// Parses a decimal, octal (`017`) or hexadecimal (`0x1F`) number; nil for other text. A number that is too large for
  /// an address remains too large, but does not overflow.
  private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard !text.isEmpty else { return nil }
    var digits = text
    var radix: UInt64 = 10
    if digits.first == UInt8(ascii: "0"), digits.count > 1 {
      digits = digits.dropFirst()
      radix = 8
      if let mark = digits.first, mark | 0x20 == UInt8(ascii: "x") {
        digits = digits.dropFirst()
        radix = 16
      }
    }
    var number: UInt64 = 0
    for digit in digits {
      guard let value = Hex.value(digit), value < radix else { return nil }
      number = min(number * radix + UInt64(value), 1 << 40)
    }
    return number
  }
}
