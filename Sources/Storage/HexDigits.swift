/// Numbers as sixteen lower-case hexadecimal digits, as names and journals of the storage hold them.
enum HexDigits {
  /// Appends the digits of a number.
  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (digits(of: UInt32(value >> 32)), digits(of: UInt32(truncatingIfNeeded: value)))) {
      bytes.append(contentsOf: $0)
    }
  }

  /// Puts the digits of a number over sixteen bytes that are there.
  static func put(_ value: UInt64, into bytes: inout [UInt8], at place: Int) {
    let digits = (digits(of: UInt32(value >> 32)), digits(of: UInt32(truncatingIfNeeded: value)))
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: digits.0, toByteOffset: place, as: UInt64.self) }
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: digits.1, toByteOffset: place + 8, as: UInt64.self) }
  }

  /// Eight digits as they lie in memory: all of them are made at once, a byte each.
  private static func digits(of value: UInt32) -> UInt64 {
    var nibbles = UInt64(value)
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (nibbles + 0x3030_3030_3030_3030 + letters * 0x27).bigEndian
  }
}
