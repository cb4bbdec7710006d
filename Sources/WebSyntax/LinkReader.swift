internal import ByteCodings

/// Reads the links of one `Link` field, RFC 8288 appendix B.2.
struct LinkReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ field: String) { bytes = Array(field.utf8) }

  /// The text after the last link that could be read; nil at the end of the field.
  var rest: String? { position < bytes.count ? String(decoding: bytes[position...], as: UTF8.self) : nil }

  mutating func read() -> [LinkHeader.Link] {
    var links: [LinkHeader.Link] = []
    while true {
      // A list may have empty members.
      skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      guard byte == UInt8(ascii: "<"), let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
        return links
      }
      let target = text((position + 1)..<end)
      position = end + 1
      let parameters = readParameters()
      links.append(LinkHeader.Link(target: target, parameters: parameters))
      skipBlanks()
      guard byte == UInt8(ascii: ",") else { return links }
    }
  }

  private mutating func readParameters() -> [LinkHeader.Link.Parameter] {
    var parameters: [LinkHeader.Link.Parameter] = []
    while true {
      skipBlanks()
      guard byte == UInt8(ascii: ";") else { return parameters }
      position += 1
      skipBlanks()
      let start = position
      skip {
        $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",")
      }
      let name = String(decoding: bytes[start..<position].map(ASCII.lowercased), as: UTF8.self)
      skipBlanks()
      var value = ""
      if byte == UInt8(ascii: "=") {
        position += 1
        skipBlanks()
        value = readValue()
      }
      if !name.isEmpty { parameters.append(LinkHeader.Link.Parameter(name: name, value: value)) }
    }
  }

  private mutating func readValue() -> String {
    guard byte == UInt8(ascii: "\"") else {
      let start = position
      skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
      return String(decoding: ASCII.trimmed(bytes[start..<position]), as: UTF8.self)
    }
    position += 1
    var value: [UInt8] = []
    while let current = byte, current != UInt8(ascii: "\"") {
      position += 1
      if current == UInt8(ascii: "\\"), let next = byte {
        value.append(next)
        position += 1
      } else {
        value.append(current)
      }
    }
    position = min(position + 1, bytes.count)
    return String(decoding: value, as: UTF8.self)
  }

  // MARK: - Bytes

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while let byte, holds(byte) { position += 1 }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: ASCII.trimmed(bytes[range]), as: UTF8.self) }
}
