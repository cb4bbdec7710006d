extension TextView {
  /// The range of a value that starts with an unquoted template.
  ///
  /// The value ends at the end of its line or, in brackets, at the next separator. It has at most `longestTemplate`
  /// bytes, because each brace on the same line may start another template.
  func templateValue(from start: Int, isInBrackets: Bool) -> Range<Int> {
    let lineEnd = min(lineEnd(start), start + Self.longestTemplate)
    var end = find("}}", from: start, before: lineEnd).map { $0 + 2 } ?? lineEnd
    while end < lineEnd {
      if bytes[end] == UInt8(ascii: "#"), bytes[end - 1] <= UInt8(ascii: " ") { break }
      if isInBrackets, [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[end]) { break }
      if let next = nextTemplate(end, before: lineEnd) { end = next } else { end += 1 }
    }
    while end > start, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    while end > start, bytes[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  /// The maximum number of bytes of a template that messages show.
  static let longestTemplate = 500

  /// The end of a template that starts exactly at an offset; nil when none starts there.
  private func nextTemplate(_ offset: Int, before limit: Int) -> Int? {
    guard offset + 1 < limit, bytes[offset] == UInt8(ascii: "{"), bytes[offset + 1] == UInt8(ascii: "{") else {
      return nil
    }
    return find("}}", from: offset + 2, before: limit).map { $0 + 2 }
  }

  /// The offset of the first `{{` that starts an unquoted value on a line; nil when there is none.
  func unquotedTemplate(onLineOf offset: Int) -> Int? {
    let end = lineEnd(offset)
    var openQuote: UInt8?
    var before: UInt8?  // the last byte that is not a space
    var isAfterSpace = true
    var index = firstOnLine(offset)
    while index < end {
      let byte = bytes[index]
      if let quote = openQuote {
        if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { index += 1 }
        if byte == quote { openQuote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        if isAfterSpace || before.map(Self.opensValue) ?? true { openQuote = byte }
      } else if byte == UInt8(ascii: "#"), isAfterSpace {
        return nil
      } else if byte == UInt8(ascii: "{"), index + 1 < end, bytes[index + 1] == byte {
        let startsValue = before.map { Self.opensValue($0) && (isAfterSpace || Self.isBracket($0)) } ?? true
        if startsValue { return index }
      }
      isAfterSpace = byte == UInt8(ascii: " ")
      if !isAfterSpace { before = byte }
      index += 1
    }
    return nil
  }

  private static func opensValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || isBracket(byte)
  }

  private static func isBracket(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  /// A text in single or double quotes, whichever needs fewer escapes.
  func quoted(_ text: String) -> String {
    guard text.contains("\"") || text.contains("\\") else { return "\"\(text)\"" }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// The range of the key and colon of a line that starts with `key:value` without a space.
  ///
  /// `- ` may come before the key.
  func keyWithoutSpace(onLineOf offset: Int) -> Range<Int>? {
    let end = lineEnd(offset)
    var start = firstOnLine(offset)
    while start + 1 < end, bytes[start] == UInt8(ascii: "-"), bytes[start + 1] == UInt8(ascii: " ") { start += 2 }
    var index = start
    while index < end, Self.isNameByte(bytes[index]) { index += 1 }
    guard index > start, index + 1 < end, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] > UInt8(ascii: " ")
    else { return nil }
    // A URL is not a key.
    guard !(bytes[index + 1] == UInt8(ascii: "/") && index + 2 < end && bytes[index + 2] == UInt8(ascii: "/")) else {
      return nil
    }
    return start..<index + 1
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The start of the value after the first `key: ` on a line; nil when the value does not start before `limit`.
  func valueStart(onLineOf offset: Int, before limit: Int) -> Int? {
    guard let colon = find(": ", from: firstOnLine(offset), before: min(limit, lineEnd(offset))) else { return nil }
    var start = colon + 2
    while start < limit, bytes[start] == UInt8(ascii: " ") { start += 1 }
    return start < limit ? start : nil
  }

  /// The number of bytes between the start of the line and its first text.
  func indentation(_ offset: Int) -> Int { firstOnLine(offset) - lineStart(offset) }

  /// Whether only spaces and tabs come before an offset on its line.
  func isFirstOnLine(_ offset: Int) -> Bool { firstOnLine(offset) >= offset }
}
