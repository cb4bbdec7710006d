/// Decodes single Unicode scalars from bytes that may be invalid UTF-8.
package enum UTF8Decoding {
  /// Decodes the scalar that starts at an index, and returns it with its length in bytes.
  ///
  /// Returns nil if no well-formed encoding starts there. Overlong encodings, surrogates and numbers above U+10FFFF are
  /// not well-formed (RFC 3629).
  @inlinable
  package static func scalar<Bytes: RandomAccessCollection>(
    in bytes: Bytes, at index: Int
  ) -> (Unicode.Scalar, Int)? where Bytes.Element == UInt8, Bytes.Index == Int {
    guard index >= bytes.startIndex, index < bytes.endIndex else { return nil }
    let lead = bytes[index]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length: Int
    var value: UInt32
    let least: UInt32
    switch lead {
    case 0xC2...0xDF: (length, value, least) = (2, UInt32(lead & 0x1F), 0x80)
    case 0xE0...0xEF: (length, value, least) = (3, UInt32(lead & 0x0F), 0x800)
    case 0xF0...0xF4: (length, value, least) = (4, UInt32(lead & 0x07), 0x10000)
    default: return nil
    }
    guard index + length <= bytes.endIndex else { return nil }
    for position in index + 1..<index + length {
      guard bytes[position] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[position] & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
