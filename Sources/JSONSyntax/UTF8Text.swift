/// Checks that UTF-8 is well-formed (Unicode 15, table 3-7).
package enum UTF8Text {
  /// The offset of the first ill-formed sequence; nil when there is none.
  package static func firstInvalidOffset(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var parser = UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let sequence): offset += sequence.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
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
