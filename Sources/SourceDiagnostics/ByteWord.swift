/// Eight bytes of a text, which are compared in one operation.
///
/// A result is a word in which each matching byte has its highest bit set. The first byte is the lowest byte of the
/// word. Results are exact for every byte and can be combined.
package struct ByteWord {
  /// The number of bytes in a word.
  @inlinable package static var count: Int { 8 }
  @inlinable static var high: UInt64 { 0x8080_8080_8080_8080 }
  @inlinable static var low: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  @usableFromInline let bits: UInt64

  /// Loads `count` bytes, starting at an offset. The caller ensures that all of them exist.
  @inlinable @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    let raw = UnsafeRawBufferPointer(bytes)
    bits = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The bytes that are not ASCII.
  @inlinable @inline(__always)
  package var beyondASCII: UInt64 { bits & Self.high }

  /// The bytes that are less than `limit`, an ASCII character.
  @inlinable @inline(__always)
  package func below(_ limit: UInt8) -> UInt64 {
    // For a byte of at least `limit`, the sum sets the highest bit. The sum never carries into the next byte.
    ~((bits & Self.low) &+ Self.repeated(0x80 &- limit)) & ~bits & Self.high
  }

  /// The bytes that are equal to `byte`.
  @inlinable @inline(__always)
  package func equal(_ byte: UInt8) -> UInt64 {
    let other = bits ^ Self.repeated(byte)
    return ~(((other & Self.low) &+ Self.low) | other) & Self.high
  }

  @inlinable @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
