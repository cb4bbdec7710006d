/// Parses the grammar of RFC 9535 and checks the types of filter expressions.
///
/// Only filters, parentheses and function calls cause recursion, and `depth` bounds it.
struct JSONPathParser {
  let bytes: [UInt8]
  var position = 0
  var depth = 0
  var warnings: [JSONPathError] = []

  init(_ text: String) throws(JSONPathError) {
    bytes = Array(text.utf8)
    guard bytes.count <= JSONPath.maximumLength else {
      throw JSONPathError(
        "the query is \(bytes.count) bytes long, more than the \(JSONPath.maximumLength) that are allowed", at: 0)
    }
  }

  mutating func parse() throws(JSONPathError) -> JSONPath.Query {
    guard let first = current else { throw JSONPathError("the query is empty; '$' is the whole document", at: 0) }
    switch first {
    case UInt8(ascii: "$"):
      position = 1
    case UInt8(ascii: "@"):
      throw error("'@' can be used only inside a filter; a query starts with '$'")
    case _ where Self.isSpace(first):
      throw error("white space before the query")
    case UInt8(ascii: "."), UInt8(ascii: "["):
      throw error("a query starts with '$'; write '$\(excerpt)'")
    case UInt8(ascii: "/"):
      throw error("a query starts with '$' and has dots between names, not slashes")
    case _ where Self.isNameByte(first) && !Self.isDigit(first):
      throw error("a query starts with '$'; write '$.\(excerpt)'")
    default:
      throw error("a query starts with '$', not with \(found)")
    }
    let query = try segments()
    guard position == bytes.count else { throw trailing() }
    return query
  }

  /// Parses `*(S segment)`; does not consume white space after the last segment.
  mutating func segments() throws(JSONPathError) -> JSONPath.Query {
    var segments: [JSONPath.Segment] = []
    while true {
      let before = position
      skipSpace()
      switch current {
      case UInt8(ascii: "["):
        segments.append(JSONPath.Segment(reachesDescendants: false, selectors: try bracketed()))
      case UInt8(ascii: "."):
        position += 1
        let reachesDescendants = current == UInt8(ascii: ".")
        if reachesDescendants { position += 1 }
        let selectors = try afterDots(reachesDescendants: reachesDescendants)
        segments.append(JSONPath.Segment(reachesDescendants: reachesDescendants, selectors: selectors))
      default:
        position = before
        return JSONPath.Query(segments: segments)
      }
    }
  }

  private mutating func afterDots(reachesDescendants: Bool) throws(JSONPathError) -> [JSONPath.Selector] {
    let dots = reachesDescendants ? ".." : "."
    guard let first = current else {
      throw error("the query ends after '\(dots)'; a name, '*'\(reachesDescendants ? " or '['" : "") must follow")
    }
    if first == UInt8(ascii: "*") {
      position += 1
      return [.wildcard]
    }
    if first == UInt8(ascii: "["), reachesDescendants { return try bracketed() }
    guard Self.isNameByte(first), !Self.isDigit(first) else {
      switch first {
      case UInt8(ascii: "["):
        throw error("no '.' is allowed before '['")
      case UInt8(ascii: "."):
        throw error("'...' is not known; '..' reaches all descendants")
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        throw error("a quoted name must be in brackets: ['name']")
      case _ where Self.isSpace(first):
        throw error("white space after '\(dots)'")
      case _ where Self.isDigit(first):
        throw error("a name after '\(dots)' cannot start with a digit; write [0] for an element, ['0'] for a member")
      default:
        throw error("a name or '*' must follow '\(dots)', not \(found)")
      }
    }
    return [.name(shorthandName())]
  }

  private mutating func shorthandName() -> String {
    let start = position
    while let byte = current, Self.isNameByte(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The error for text after a complete query.
  private func trailing() -> JSONPathError {
    let rest = bytes[position...]
    if rest.allSatisfy({ Self.isSpace($0) }) { return error("white space after the query") }
    switch bytes[position] {
    case UInt8(ascii: "-"):
      var start = position
      while start > 0, Self.isNameByte(bytes[start - 1]) { start -= 1 }
      var end = position
      while end < bytes.count, Self.isNameByte(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      return error("a name with '-' must be quoted in brackets: ['\(name)']")
    case UInt8(ascii: "("):
      return error("functions are allowed only in filters, such as [?length(@.name) > 3]")
    case UInt8(ascii: "]"):
      return error("']' without a '[' before it")
    default:
      return error("'.', '[' or the end of the query was expected, not \(found)")
    }
  }
}

// MARK: - Bytes

extension JSONPathParser {
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func byte(after distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  mutating func skipSpace() {
    while let byte = current, Self.isSpace(byte) { position += 1 }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  /// Whether a byte is part of RFC 9535's name-char: letters, digits, `_` and all non-ASCII characters.
  static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_")
  }

  /// Increases the nesting depth by one; throws when the depth exceeds the limit.
  mutating func descend() throws(JSONPathError) {
    depth += 1
    guard depth <= JSONPath.maximumDepth else {
      throw error("filters, parentheses and calls nest more than \(JSONPath.maximumDepth) deep")
    }
  }

  // MARK: Errors

  func error(_ message: String) -> JSONPathError { JSONPathError(message, at: position) }

  func error(_ message: String, at offset: Int) -> JSONPathError { JSONPathError(message, at: offset) }

  /// The character at the position, in quotes or described in words, for a message.
  var found: String {
    guard let first = current else { return "the end of the query" }
    switch first {
    case UInt8(ascii: "'"): return "a single quote"
    case 0..<0x20, 0x7F:
      let digits = String(first, radix: 16, uppercase: true)
      return "the control character U+00\(digits.count < 2 ? "0" : "")\(digits)"
    default:
      let scalar = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars
        .first
      return scalar.map { "'\($0)'" } ?? "'?'"
    }
  }

  /// The text from the position on, at most 40 characters of it, for a message.
  var excerpt: String {
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    return rest.count <= 40 ? rest : rest.prefix(40) + "…"
  }
}
