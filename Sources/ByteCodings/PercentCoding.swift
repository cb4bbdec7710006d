/// Encodes and decodes percent-encoding (RFC 3986, section 2.1).
package enum PercentCoding {
  /// Whether a byte is `unreserved` (section 2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~".utf8.contains(byte)
  }

  /// Whether a byte is `pchar` without escapes (section 3.3), so that it needs no escape in a path.
  package static func isPathCharacter(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
  }

  /// Whether a byte is `reserved` (section 2.2).
  package static func isReserved(_ byte: UInt8) -> Bool { "!$&'()*+,;=:@/?#[]".utf8.contains(byte) }

  /// The byte whose escape, such as `%2F`, begins at an index; nil when no escape begins there.
  package static func escapedByte(at index: Int, in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = Hex.value(bytes[index + 1]),
      let low = Hex.value(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Appends the escape of a byte.
  package static func appendEscape(_ byte: UInt8, to result: inout [UInt8]) {
    result.append(UInt8(ascii: "%"))
    Hex.append(byte, to: &result, isUpper: true)
  }

  /// Appends bytes, and escapes every byte for which `isKept` is false.
  ///
  /// - Parameter keepsEscapes: whether existing escapes stay unchanged instead of being encoded twice
  package static func append(
    _ bytes: ArraySlice<UInt8>, to result: inout [UInt8], keepsEscapes: Bool = false,
    keeping isKept: (UInt8) -> Bool = isUnreserved
  ) {
    for index in bytes.indices {
      let byte = bytes[index]
      if isKept(byte) || keepsEscapes && escapedByte(at: index, in: bytes) != nil {
        result.append(byte)
      } else {
        appendEscape(byte, to: &result)
      }
    }
  }

  /// The text with all characters escaped except unreserved ones.
  ///
  /// So no server can read `+`, `&`, `=` or `%` with a special meaning.
  package static func encode(_ text: some StringProtocol) -> String {
    var result: [UInt8] = []
    append(Array(text.utf8)[...], to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes with their escapes decoded. A percent sign that begins no escape stays.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    replacingEscapes(bytes) { $0.append($1) }
  }

  /// The text with its escapes decoded. A percent sign that begins no escape stays.
  package static func decode(_ text: some StringProtocol) -> String {
    String(decoding: decode(Array(text.utf8)[...]), as: UTF8.self)
  }

  /// The same text with escapes in upper case, and without unnecessary escapes (section 6.2.2).
  package static func normalize(_ text: some StringProtocol) -> String {
    let bytes = replacingEscapes(Array(text.utf8)[...]) { result, byte in
      if isUnreserved(byte) { result.append(byte) } else { appendEscape(byte, to: &result) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether each percent sign begins an escape.
  package static func isWellFormed(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.allSatisfy { bytes[$0] != UInt8(ascii: "%") || escapedByte(at: $0, in: bytes) != nil }
  }

  private static func replacingEscapes(
    _ bytes: ArraySlice<UInt8>, with append: (inout [UInt8], UInt8) -> Void
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if let byte = escapedByte(at: index, in: bytes) {
        append(&result, byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
