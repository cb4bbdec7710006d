internal import ByteCodings

/// Reads and writes the escapes of JSON strings.
package enum EscapedText {
  /// Appends the unescaped text of a string's content; returns false if an escape is a lone surrogate, which is not
  /// text.
  ///
  /// `JSONTokens.string` must have checked the escapes.
  package static func unescape(_ content: UnsafeBufferPointer<UInt8>, into text: ByteBuffer) -> Bool {
    text.reserve(content.count)
    var position = 0
    while position < content.count {
      let byte = content[position]
      guard byte == UInt8(ascii: "\\"), position + 1 < content.count else {
        text.append(byte)
        position += 1
        continue
      }
      switch content[position + 1] {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let first = codeUnit(content, at: position + 2) else { return false }
        position += 6
        var scalar = UInt32(first)
        if first & 0xFC00 == 0xD800 {
          guard position + 6 <= content.count, content[position] == UInt8(ascii: "\\"),
            content[position + 1] == UInt8(ascii: "u"),
            let second = codeUnit(content, at: position + 2), second & 0xFC00 == 0xDC00
          else { return false }
          position += 6
          scalar = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        }
        guard let scalar = Unicode.Scalar(scalar) else { return false }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { text.append(byte) }
        continue
      default: text.append(content[position + 1])
      }
      position += 2
    }
    return true
  }

  /// Appends a text as a JSON string with quotes; only the characters that RFC 8259 requires are escaped.
  package static func quote(_ text: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) {
    guard !isPlain(text) else { return out.append(plain: text) }
    out.reserve(text.count + 2)
    out.append(UInt8(ascii: "\""))
    escape(text) { out.append($0) }
    out.append(UInt8(ascii: "\""))
  }

  /// Whether a text needs no escapes. Most texts need none, and eight bytes are checked at once.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    let raw = UnsafeRawBufferPointer(text)
    var offset = 0
    while offset &+ 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      // The high bit of a byte is set if the byte was less than the subtracted value.
      let controls = (word &- ones &* 0x20) & ~word
      let found = controls | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
      if found & highs != 0 { return false }
      offset &+= 8
    }
    while offset < raw.count {
      let byte = raw[offset]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
      offset &+= 1
    }
    return true
  }

  /// Escapes a text for a JSON string, and passes the result to `append` in chunks: unchanged bytes and escapes.
  static func escape(_ text: UnsafeBufferPointer<UInt8>, append: (UnsafeBufferPointer<UInt8>) -> Void) {
    var start = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      append(UnsafeBufferPointer(rebasing: text[start..<index]))
      start = index + 1
      var escape = [UInt8(ascii: "\\")]
      switch byte {
      case 0x08: escape.append(UInt8(ascii: "b"))
      case 0x09: escape.append(UInt8(ascii: "t"))
      case 0x0A: escape.append(UInt8(ascii: "n"))
      case 0x0C: escape.append(UInt8(ascii: "f"))
      case 0x0D: escape.append(UInt8(ascii: "r"))
      case 0..<0x20:
        escape += "u00".utf8
        Hex.append(byte, to: &escape)
      default: escape.append(byte)
      }
      escape.withUnsafeBufferPointer(append)
    }
    append(UnsafeBufferPointer(rebasing: text[start...]))
  }

  private static func codeUnit(_ content: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt16? {
    guard position + 4 <= content.count else { return nil }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = Hex.value(content[position + offset]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
