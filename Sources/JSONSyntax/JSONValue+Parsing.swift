extension JSONValue {
  /// Parses one JSON text (RFC 8259) in UTF-8.
  ///
  /// The text may have a byte order mark. Only white space is allowed after the value. Nesting is at most 256 levels.
  /// Numbers keep their text. If a member name is repeated, the last value is used. A string with a lone surrogate is
  /// an error.
  public init(parsing text: [UInt8]) throws(JSONError) {
    let buffer = ByteBuffer(capacity: text.count)
    let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    text.withUnsafeBufferPointer { buffer.append(UnsafeBufferPointer(rebasing: $0[mark...])) }
    let indexer = JSONIndexer()
    // The tokens have bare pointers into both objects. Without this line, the objects may be released before the walk.
    defer { withExtendedLifetime((indexer, buffer)) {} }
    do throws(JSONError) {
      self = try indexer.index(buffer).document()
    } catch {
      throw JSONError(error.message, at: error.offset + mark, endsEarly: error.endsEarly)
    }
  }

  /// Parses one JSON text.
  public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

extension JSONTokens {
  /// The only value of the window, which must be a complete JSON text.
  package func document() throws(JSONError) -> JSONValue {
    let scratch = ByteBuffer(capacity: 256)
    let (value, next) = try self.value(0, depth: 0, scratch: scratch)
    guard next == count else { throw JSONError("text after the end of the value", at: start(next)) }
    return value
  }

  /// Builds the value that starts at a token; returns the value and the token after it.
  package func value(_ token: Int, depth: Int, scratch: ByteBuffer) throws(JSONError) -> (JSONValue, Int) {
    switch first(token) {
    case UInt8(ascii: "\""):
      return (.string(try text(token, scratch: scratch)), token + 1)
    case UInt8(ascii: "{"):
      return try objectValue(token, depth: depth, scratch: scratch)
    case UInt8(ascii: "["):
      return try arrayValue(token, depth: depth, scratch: scratch)
    case UInt8(ascii: "t"):
      try checkLiteral(token)
      return (.bool(true), token + 1)
    case UInt8(ascii: "f"):
      try checkLiteral(token)
      return (.bool(false), token + 1)
    case UInt8(ascii: "n"):
      try checkLiteral(token)
      return (.null, token + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return (.number(JSONNumber(validated: String(decoding: try number(token), as: UTF8.self))), token + 1)
    default:
      throw unexpected(token, "a value")
    }
  }

  /// The text of the string that starts at a token.
  package func text(_ token: Int, scratch: ByteBuffer) throws(JSONError) -> String {
    let content = try string(token)
    let bytes = UnsafeBufferPointer(start: base + content.start, count: content.length)
    guard content.hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
    scratch.removeAll()
    guard EscapedText.unescape(bytes, into: scratch) else {
      throw JSONError("a \\u escape is an unpaired surrogate", at: content.start)
    }
    return String(decoding: scratch.bytes, as: UTF8.self)
  }

  private func objectValue(_ open: Int, depth: Int, scratch: ByteBuffer) throws(JSONError) -> (JSONValue, Int) {
    try checkDepth(depth, open)
    var members: [JSONObject.Member] = []
    var token = open + 1
    if first(token) == UInt8(ascii: "}") { return (.object(JSONObject()), token + 1) }
    while true {
      guard first(token) == UInt8(ascii: "\"") else { throw unexpected(token, "a member name in quotes") }
      let name = try text(token, scratch: scratch)
      guard first(token + 1) == UInt8(ascii: ":") else { throw unexpected(token + 1, "':'") }
      let (value, next) = try self.value(token + 2, depth: depth + 1, scratch: scratch)
      members.append(JSONObject.Member(name: name, value: value))
      token = next + 1
      switch first(next) {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "}"): return (.object(JSONObject(members)), token)
      default: throw unexpected(next, "',' or '}'")
      }
    }
  }

  private func arrayValue(_ open: Int, depth: Int, scratch: ByteBuffer) throws(JSONError) -> (JSONValue, Int) {
    try checkDepth(depth, open)
    var elements: [JSONValue] = []
    var token = open + 1
    if first(token) == UInt8(ascii: "]") { return (.array([]), token + 1) }
    while true {
      let (value, next) = try self.value(token, depth: depth + 1, scratch: scratch)
      elements.append(value)
      token = next + 1
      switch first(next) {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "]"): return (.array(elements), token)
      default: throw unexpected(next, "',' or ']'")
      }
    }
  }
}
