extension Headers {
  /// Refuses what could end a field early or smuggle another: a name that is not a token (RFC 9110, section 5.6.2), a
  /// value with a control character other than a tab.
  ///
  /// - Throws: `.server` naming the field, never its value.
  public func check() throws(ReactorError) {
    for field in fields {
      guard !field.name.isEmpty, Headers.holds(field.name, only: Headers.isTokenCharacter) else {
        throw .server("a header has a name that is empty or holds a character not allowed in names")
      }
      guard Headers.holds(field.value, only: { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
        throw .server("the header '\(field.name)' holds a line break or another control character")
      }
    }
  }

  private static func holds(_ text: String, only isAllowed: (UInt8) -> Bool) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? text.utf8.allSatisfy(isAllowed)
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
      UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
