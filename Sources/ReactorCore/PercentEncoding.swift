/// Percent-encoding by RFC 3986, section 2.1.
enum PercentEncoding {
  /// Appends a query name or value: everything but unreserved characters is encoded, so that no server can read
  /// `+`, `&`, `=` or `%` as anything but themselves.
  static func appendQueryText(_ text: String, to url: inout [UInt8]) {
    for byte in text.utf8 {
      if isUnreserved(byte) { url.append(byte) } else { appendEncoded(byte, to: &url) }
    }
  }

  /// Appends a path: what a path may hold stays, escapes that are already there stay, the rest is encoded.
  static func appendPath(_ path: some Collection<UInt8>, to url: inout [UInt8]) {
    append(path, to: &url) { isPathCharacter($0) || $0 == UInt8(ascii: "/") }
  }

  /// Appends a query that is already written as one: its delimiters and escapes stay, the rest is encoded.
  static func appendWrittenQuery(_ query: some Collection<UInt8>, to url: inout [UInt8]) {
    append(query, to: &url) { isPathCharacter($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
  }

  /// Whether three bytes from an index on are an escape such as `%2F`.
  static func isEscape<Bytes: Collection<UInt8>>(_ bytes: Bytes, at index: Bytes.Index) -> Bool {
    guard bytes[index] == UInt8(ascii: "%"),
      let first = bytes.index(index, offsetBy: 1, limitedBy: bytes.endIndex), first < bytes.endIndex,
      let second = bytes.index(first, offsetBy: 1, limitedBy: bytes.endIndex), second < bytes.endIndex
    else { return false }
    return hexValue(bytes[first]) != nil && hexValue(bytes[second]) != nil
  }

  /// `unreserved` of RFC 3986, section 2.3.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// `sub-delims` of RFC 3986, section 2.2.
  static func isSubDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit, else nil.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// `pchar` of RFC 3986, section 3.3, without escapes.
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || isSubDelimiter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
  }

  private static func append<Bytes: Collection<UInt8>>(
    _ bytes: Bytes, to url: inout [UInt8], keeping isKept: (UInt8) -> Bool
  ) {
    // Nearly all stay as they are.
    let isWhole = bytes.withContiguousStorageIfAvailable { bytes in
      guard bytes.allSatisfy(isKept) else { return false }
      url.append(contentsOf: bytes)
      return true
    }
    if isWhole == true { return }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if isKept(byte) || isEscape(bytes, at: index) { url.append(byte) } else { appendEncoded(byte, to: &url) }
      bytes.formIndex(after: &index)
    }
  }

  private static func appendEncoded(_ byte: UInt8, to url: inout [UInt8]) {
    url.append(UInt8(ascii: "%"))
    url.append(upperHex(byte >> 4))
    url.append(upperHex(byte & 15))
  }

  private static func upperHex(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
  }
}
