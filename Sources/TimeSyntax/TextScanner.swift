/// Reads text of fixed formats from a range of bytes.
package struct TextScanner {
  package let bytes: UnsafeBufferPointer<UInt8>
  package var position = 0

  @inlinable package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  @inlinable @inline(__always) package var isAtEnd: Bool { position >= bytes.count }

  @inlinable @inline(__always) package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  @inlinable @inline(__always) package mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Reads exactly `count` decimal digits.
  @inlinable package mutating func digits(_ count: Int) -> Int? {
    guard position + count <= bytes.count else { return nil }
    var value = 0
    for offset in 0..<count {
      let digit = bytes[position + offset] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += count
    return value
  }

  /// Reads as many decimal digits as possible, from `minimum` to `maximum`.
  @inlinable package mutating func digits(_ minimum: Int, _ maximum: Int) -> Int? {
    var value = 0
    var count = 0
    while count < maximum, let byte = next, byte &- 0x30 <= 9 {
      value = value * 10 + Int(byte &- 0x30)
      position += 1
      count += 1
    }
    return count >= minimum ? value : nil
  }

  /// Reads the digits of a fraction as nanoseconds.
  ///
  /// More than nine significant digits are refused, because precision would be lost.
  @inlinable package mutating func nanoseconds() -> Int? {
    var value = 0
    var count = 0
    while let byte = next, byte &- 0x30 <= 9 {
      if count < 9 { value = value * 10 + Int(byte &- 0x30) } else if byte != 0x30 { return nil }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    while count < 9 {
      value *= 10
      count += 1
    }
    return value
  }

  /// Reads `Z`, `z` or `±hh[[:]mm]`, as seconds east of UTC.
  @inlinable package mutating func zone() -> Int? {
    guard let sign = next else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") {
      position += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    position += 1
    guard let hours = digits(2), hours <= 23 else { return nil }
    var minutes = 0
    if skip(UInt8(ascii: ":")) {
      guard let read = digits(2) else { return nil }
      minutes = read
    } else if let byte = next, byte &- 0x30 <= 9 {
      guard let read = digits(2) else { return nil }
      minutes = read
    }
    guard minutes <= 59 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }
}
