/// Checks that UTF-8 is well-formed (Unicode 15, table 3-7).
package enum UTF8Text {
  /// The offset of the first ill-formed sequence; nil when there is none.
  package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset < raw.count {
      if offset &+ 8 <= raw.count,
        raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        offset &+= 8
        continue
      }
      let lead = raw[offset]
      guard lead >= 0x80 else {
        offset &+= 1
        continue
      }
      let second: ClosedRange<UInt8>
      let count: Int
      switch lead {
      case 0xC2...0xDF: (second, count) = (0x80...0xBF, 2)
      case 0xE0: (second, count) = (0xA0...0xBF, 3)
      case 0xED: (second, count) = (0x80...0x9F, 3)
      case 0xE1...0xEF: (second, count) = (0x80...0xBF, 3)
      case 0xF0: (second, count) = (0x90...0xBF, 4)
      case 0xF1...0xF3: (second, count) = (0x80...0xBF, 4)
      case 0xF4: (second, count) = (0x80...0x8F, 4)
      default: return offset
      }
      guard offset + count <= raw.count, second.contains(raw[offset + 1]) else { return offset }
      for index in (offset + 2)..<max(offset + count, offset + 2) where raw[index] & 0xC0 != 0x80 { return offset }
      offset += count
    }
    return nil
  }

  /// The number of bytes at the end that belong to an incomplete UTF-8 sequence: 0 to 3.
  package static func incompleteSuffix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return needed > back ? back : 0
    }
    return 0
  }
}
