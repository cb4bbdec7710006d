/// Strings with escapes: reading them, and writing what must be escaped.
package enum EscapedText {
  /// Appends the text that escaped content denotes; false when it names a lone surrogate, which is no text.
  ///
  /// The escapes must have been checked by `JSONTokens.string`.
  package static func unescape(_ content: UnsafeBufferPointer<UInt8>, into text: ByteBuffer) -> Bool {
    text.reserve(content.count)
    var place = 0
    while place < content.count {
      let byte = content[place]
      guard byte == UInt8(ascii: "\\"), place + 1 < content.count else {
        text.append(byte)
        place += 1
        continue
      }
      switch content[place + 1] {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let first = codeUnit(content, at: place + 2) else { return false }
        place += 6
        var scalar = UInt32(first)
        if first & 0xFC00 == 0xD800 {
          guard place + 6 <= content.count, content[place] == UInt8(ascii: "\\"),
            content[place + 1] == UInt8(ascii: "u"),
            let second = codeUnit(content, at: place + 2), second & 0xFC00 == 0xDC00
          else { return false }
          place += 6
          scalar = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        } else if first & 0xFC00 == 0xDC00 {
          return false
        }
        appendScalar(scalar, to: text)
        continue
      default: text.append(content[place + 1])
      }
      place += 2
    }
    return true
  }

  /// Appends text as a JSON string with quotes; only what RFC 8259 demands is escaped.
  package static func quote(_ text: UnsafeBufferPointer<UInt8>, into out: ByteBuffer) {
    out.reserve(text.count + 2)
    out.append(UInt8(ascii: "\""))
    var clean = 0
    for place in 0..<text.count {
      let byte = text[place]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      if place > clean, let start = text.baseAddress { out.append(start + clean, place - clean) }
      clean = place + 1
      switch byte {
      case UInt8(ascii: "\""): out.append("\\\"")
      case UInt8(ascii: "\\"): out.append("\\\\")
      case 0x08: out.append("\\b")
      case 0x09: out.append("\\t")
      case 0x0A: out.append("\\n")
      case 0x0C: out.append("\\f")
      case 0x0D: out.append("\\r")
      default:
        out.append("\\u00")
        out.append(hexDigit(byte >> 4))
        out.append(hexDigit(byte & 15))
      }
    }
    if text.count > clean, let start = text.baseAddress { out.append(start + clean, text.count - clean) }
    out.append(UInt8(ascii: "\""))
  }

  static func hexValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private static func codeUnit(_ content: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt16? {
    guard place + 4 <= content.count else { return nil }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = hexValue(content[place + offset]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func appendScalar(_ scalar: UInt32, to text: ByteBuffer) {
    func byte(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value) }
    switch scalar {
    case 0..<0x80:
      text.append(byte(scalar))
    case 0x80..<0x800:
      text.append(byte(0xC0 | scalar >> 6))
      text.append(byte(0x80 | scalar & 0x3F))
    case 0x800..<0x10000:
      text.append(byte(0xE0 | scalar >> 12))
      text.append(byte(0x80 | scalar >> 6 & 0x3F))
      text.append(byte(0x80 | scalar & 0x3F))
    default:
      text.append(byte(0xF0 | scalar >> 18))
      text.append(byte(0x80 | scalar >> 12 & 0x3F))
      text.append(byte(0x80 | scalar >> 6 & 0x3F))
      text.append(byte(0x80 | scalar & 0x3F))
    }
  }
}
