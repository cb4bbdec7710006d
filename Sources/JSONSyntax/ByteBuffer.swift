#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Growable bytes; at least `ByteBuffer.padding` readable zero bytes always follow the content.
///
/// The address of the bytes changes only when the buffer grows. The functions that parse JSON tokens load eight bytes
/// at once, also past the last byte; the zero bytes make a check for the end unnecessary. One task owns a buffer at a
/// time, so the type is not Sendable.
public final class ByteBuffer {
  /// The number of readable bytes after the content; the first of them is zero.
  public static let padding = 64

  /// The address of the first byte; changes when the buffer grows.
  @inlinable public var base: UnsafeMutablePointer<UInt8> { start }
  /// The number of bytes of the content.
  @inlinable public var count: Int { used }
  // Ownership guarantees exclusive access (see above). Checking exclusivity at run time costs more than appending.
  @exclusivity(unchecked) @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) @usableFromInline var used = 0
  @exclusivity(unchecked) @usableFromInline var capacity: Int

  /// Creates an empty buffer with a capacity of `capacity` bytes.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity + Self.padding)
    base[0] = 0
  }

  deinit { base.deallocate() }

  /// The content; valid until the next change of the buffer.
  @inlinable public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Passes the content to `body` and keeps the buffer alive during the call; a bare pointer would not keep it alive.
  public func withBytes<Value, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// A copy of the content.
  public func copy() -> [UInt8] { Array(bytes) }

  /// Removes the content; the capacity remains.
  public func removeAll() {
    used = 0
    base[0] = 0
  }

  /// Removes the bytes from offset `length` on.
  public func truncate(to length: Int) {
    used = min(count, max(length, 0))
    base[count] = 0
  }

  /// Removes the first `length` bytes; the remaining bytes move to the front.
  public func removeFirst(_ length: Int) {
    let dropped = min(max(length, 0), count)
    guard dropped > 0 else { return }
    used -= dropped
    if count > 0 { memmove(base, base + dropped, count) }
    seal()
  }

  /// Grows the buffer if it has no capacity for `additional` more bytes.
  @inlinable @inline(__always)
  public func reserve(_ additional: Int) {
    if additional > capacity &- count { grow(additional) }
  }

  @usableFromInline
  func grow(_ additional: Int) {
    let needed = count + additional
    var grown = capacity
    while grown < needed { grown *= 2 }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown + Self.padding)
    memcpy(larger, base, count)
    base.deallocate()
    start = larger
    capacity = grown
    seal()
  }

  /// Appends bytes.
  @inlinable
  public func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    append(start, bytes.count)
  }

  /// Appends `length` bytes at `start`.
  @inlinable @inline(__always)
  public func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
    reserve(length)
    (base + count).update(from: start, count: length)
    used &+= length
  }

  /// Appends `length` bytes at `start` without checking the capacity.
  ///
  /// The caller must reserve capacity for them, and `padding` bytes after them must be readable. Short texts are copied
  /// sixteen bytes at a time, which is faster than a call that copies exactly `length` bytes.
  @inlinable @inline(__always)
  public func appendPadded(_ start: UnsafePointer<UInt8>, _ length: Int) {
    let (from, to) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(base + count))
    if length <= Self.padding {
      var offset = 0
      repeat {
        to.storeBytes(
          of: (from + offset).loadUnaligned(as: SIMD16<UInt8>.self), toByteOffset: offset, as: SIMD16<UInt8>.self)
        offset &+= 16
      } while offset < length
    } else {
      to.copyMemory(from: from, byteCount: length)
    }
    used &+= length
  }

  /// Appends bytes.
  public func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends the UTF-8 bytes of a literal.
  @inlinable @inline(__always)
  public func append(_ text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Appends the UTF-8 bytes of a text.
  public func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends a byte.
  @inlinable @inline(__always)
  public func append(_ byte: UInt8) {
    if count == capacity { reserve(1) }
    base[count] = byte
    used &+= 1
  }

  /// Appends, in quotes, a text without characters that must be escaped in JSON.
  func append(plain text: UnsafeBufferPointer<UInt8>) {
    reserve(text.count + 2)
    let end = base + used
    end[0] = UInt8(ascii: "\"")
    if let start = text.baseAddress { (end + 1).update(from: start, count: text.count) }
    end[text.count + 1] = UInt8(ascii: "\"")
    used &+= text.count + 2
  }

  /// Appends an integer in decimal digits.
  public func append(decimal value: Int64) { append(utf8: String(value)) }

  /// Sets the `padding` bytes after the content to zero. `JSONIndexer` calls this before the tokens are parsed.
  public func seal() {
    memset(base + count, 0, Self.padding)
  }
}

extension ByteBuffer {
  /// Appends a value as compact JSON.
  public func append(json value: JSONValue) { append(JSONWriter.bytes(value)) }

  /// Appends text as a JSON string.
  public func append(quoted text: String) {
    var text = text
    text.withUTF8 { EscapedText.quote($0, into: self) }
  }
}
