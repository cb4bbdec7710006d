#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Growable bytes at a stable address, always followed by at least `ByteBuffer.padding` readable zero bytes.
///
/// The walk over JSON tokens reads whole words and the byte after the last one, so it never has to ask for the end.
/// One task owns a buffer at a time: it is not Sendable on purpose.
package final class ByteBuffer {
  /// Readable bytes after the content; the first is zero.
  package static let padding = 64

  /// The first byte; changes when the buffer grows.
  package private(set) var base: UnsafeMutablePointer<UInt8>
  /// Bytes in use.
  package private(set) var count = 0
  private var capacity: Int

  package init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity + Self.padding)
    base[0] = 0
  }

  deinit { base.deallocate() }

  /// The content; valid until the next change.
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// A copy of the content.
  package func copy() -> [UInt8] { Array(bytes) }

  package func removeAll() {
    count = 0
    base[0] = 0
  }

  /// Drops everything from `length` on.
  package func truncate(to length: Int) {
    count = min(count, max(length, 0))
    base[count] = 0
  }

  /// Drops the first `length` bytes; what remains moves to the front.
  package func removeFirst(_ length: Int) {
    let dropped = min(max(length, 0), count)
    guard dropped > 0 else { return }
    count -= dropped
    if count > 0 { memmove(base, base + dropped, count) }
    seal()
  }

  package func reserve(_ additional: Int) {
    let needed = count + additional
    guard needed > capacity else { return }
    var grown = capacity
    while grown < needed { grown *= 2 }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown + Self.padding)
    memcpy(larger, base, count)
    base.deallocate()
    base = larger
    capacity = grown
    seal()
  }

  package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    append(start, bytes.count)
  }

  @inline(__always)
  package func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    memcpy(base + count, start, length)
    count += length
  }

  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  package func append(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  package func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  @inline(__always)
  package func append(_ byte: UInt8) {
    if count == capacity { reserve(1) }
    base[count] = byte
    count += 1
  }

  /// Writes the decimal digits of an integer.
  package func append(decimal value: Int64) {
    reserve(20)
    var magnitude = value.magnitude
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    var digits = 1
    var bound = magnitude
    while bound >= 10 {
      bound /= 10
      digits += 1
    }
    var place = count + digits
    count = place
    repeat {
      place -= 1
      base[place] = UInt8(truncatingIfNeeded: magnitude % 10) &+ 0x30
      magnitude /= 10
    } while magnitude > 0
  }

  /// Makes the bytes after the content readable zeros, as the token walk needs.
  package func seal() {
    memset(base + count, 0, Self.padding)
  }
}
