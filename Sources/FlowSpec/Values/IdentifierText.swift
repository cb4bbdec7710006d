/// Checks texts with a form of their own: UUIDs, URLs, base64.
enum IdentifierText {
  /// Refuses what is not 8-4-4-4-12 hexadecimal digits.
  static func checkUUID(_ text: String) throws(ValueError) {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ $0.allSatisfy(ASCII.isHexDigit) }) else {
      throw ValueError(expected: "a UUID", detail: "write it as 123e4567-e89b-12d3-a456-426614174000")
    }
  }

  /// Refuses what does not start with a scheme and a colon, or holds characters that no URL holds.
  static func checkURL(_ text: String) throws(ValueError) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let lead = bytes.first, ASCII.isLetter(lead),
      bytes[..<colon].allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }),
      colon + 1 < bytes.count, !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || "\"<>\\^`{|}".utf8.contains($0) })
    else { throw ValueError(expected: "a URL", detail: "write it with its scheme, as in https://example.com/") }
  }

  /// Refuses what is not base64 (RFC 4648, section 4) with padding and unused bits zero.
  static func checkBase64(_ text: String) throws(ValueError) {
    let bytes = Array(text.utf8)
    let body = bytes.prefix { $0 != UInt8(ascii: "=") }
    let padding = bytes.dropFirst(body.count)
    guard bytes.count % 4 == 0, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }),
      body.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") })
    else { throw ValueError(expected: "base64 text") }
    // The last letter before padding carries 2 or 4 bits that no byte uses.
    let ends = padding.count == 2 ? "AQgw" : padding.count == 1 ? "AEIMQUYcgkosw048" : nil
    if let ends, let last = body.last, !ends.utf8.contains(last) { throw ValueError(expected: "base64 text") }
  }
}
