#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Growable bytes at a stable address, always followed by at least `ByteBuffer.padding` readable zero bytes.
///
/// The walk over JSON tokens reads whole words and the byte after the last one, so it never has to ask for the end.
/// One task owns a buffer at a time: it is not Sendable on purpose.
public final class ByteBuffer {
  /// Readable bytes after the content; the first is zero.
  public static let padding = 64

  /// The first byte; changes when the buffer grows.
  @inlinable public var base: UnsafeMutablePointer<UInt8> { start }
  /// Bytes in use.
  @inlinable public var count: Int { used }
  // Exclusivity is by ownership (see above); checking it at run time costs more than the appending.
  @exclusivity(unchecked) @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) @usableFromInline var used = 0
  @exclusivity(unchecked) @usableFromInline var capacity: Int

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity + Self.padding)
    base[0] = 0
  }

  deinit { base.deallocate() }

  /// The content; valid until the next change.
  @inlinable public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Gives the content to `body` while the buffer is certainly alive: a bare pointer does not keep it so.
  public func withBytes<Value, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes)
  }

  /// A copy of the content.
  public func copy() -> [UInt8] { Array(bytes) }

  /// Drops everything; the room stays.
  public func removeAll() {
    used = 0
    base[0] = 0
  }

  /// Drops everything from `length` on.
  public func truncate(to length: Int) {
    used = min(count, max(length, 0))
    base[count] = 0
  }

  /// Drops the first `length` bytes; what remains moves to the front.
  public func removeFirst(_ length: Int) {
    let dropped = min(max(length, 0), count)
    guard dropped > 0 else { return }
    used -= dropped
    if count > 0 { memmove(base, base + dropped, count) }
    seal()
  }

  /// Makes room for `additional` bytes.
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

  /// Appends `length` bytes at `start`, for which there is room, and after which `padding` bytes can be read.
  ///
  /// Short texts are copied sixteen bytes at a time, which costs less than the call that copies exactly.
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

  /// Writes the decimal digits of an integer.
  public func append(decimal value: Int64) { append(utf8: String(value)) }

  /// Makes the bytes after the content readable zeros, as the token walk needs.
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
