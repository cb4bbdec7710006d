/// Well-formedness of UTF-8 (Unicode 15, table 3-7).
package enum UTF8Text {
  /// The offset of the first ill-formed sequence, nil when all is well.
  package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(at: index, in: bytes)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  /// How many bytes at the end belong to a sequence whose rest has not arrived yet: 0 to 3.
  package static func incompleteSuffix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var back = 1
    while back <= 3, back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xC0 == 0x80 {
        back += 1
        continue
      }
      let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return needed > back ? back : 0
    }
    return 0
  }

  /// Bytes of the well-formed sequence at an offset, 0 when it is ill-formed or cut.
  private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    func continuation(_ place: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      place < bytes.count && range.contains(bytes[place])
    }
    switch first {
    case 0xC2...0xDF:
      return continuation(index + 1) ? 2 : 0
    case 0xE0...0xEF:
      let second: ClosedRange<UInt8> = first == 0xE0 ? 0xA0...0xBF : first == 0xED ? 0x80...0x9F : 0x80...0xBF
      return continuation(index + 1, second) && continuation(index + 2) ? 3 : 0
    case 0xF0...0xF4:
      let second: ClosedRange<UInt8> = first == 0xF0 ? 0x90...0xBF : first == 0xF4 ? 0x80...0x8F : 0x80...0xBF
      return continuation(index + 1, second) && continuation(index + 2) && continuation(index + 3) ? 4 : 0
    default:
      return 0
    }
  }
}
