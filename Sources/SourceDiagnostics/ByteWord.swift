/// Eight bytes of a text, looked at together: each question is answered with the highest bit of every byte that fits, the
/// first byte's lowest. Exact for every byte, so that answers may be combined.
package struct ByteWord {
  /// How many bytes there are.
  @inlinable package static var count: Int { 8 }
  @inlinable static var high: UInt64 { 0x8080_8080_8080_8080 }
  @inlinable static var low: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  @usableFromInline let bits: UInt64

  /// The bytes from an offset on, behind which `count` bytes have to be.
  @inlinable @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    let raw = UnsafeRawBufferPointer(bytes)
    bits = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Those that are not ASCII.
  @inlinable @inline(__always)
  package var beyondASCII: UInt64 { bits & Self.high }

  /// Those that are less than an ASCII character.
  @inlinable @inline(__always)
  package func below(_ limit: UInt8) -> UInt64 {
    // Adding what is left to 128 reaches the highest bit from the limit on, and carries into no other byte.
    ~((bits & Self.low) &+ Self.repeated(0x80 &- limit)) & ~bits & Self.high
  }

  /// Those that are a byte.
  @inlinable @inline(__always)
  package func equal(_ byte: UInt8) -> UInt64 {
    let other = bits ^ Self.repeated(byte)
    return ~(((other & Self.low) &+ Self.low) | other) & Self.high
  }

  @inlinable @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
