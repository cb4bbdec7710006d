internal import JSONSyntax

/// Reads JSON with the line of each value.
final class JSONSource {
  private let tokens: JSONTokens
  private let scratch = ByteBuffer(capacity: 256)
  /// The line of the token that was looked up last, and the number of bytes up to it; tokens are looked up in order.
  private var (line, counted) = (1, 0)

  private init(_ tokens: JSONTokens) { self.tokens = tokens }

  /// Returns the value of a JSON text. If a name occurs several times, its last value is used.
  static func value(_ bytes: [UInt8]) throws(JSONError) -> SourceNode {
    let buffer = ByteBuffer(capacity: bytes.count)
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    bytes.withUnsafeBufferPointer { buffer.append(UnsafeBufferPointer(rebasing: $0[mark...])) }
    let indexer = JSONIndexer()
    // The tokens have bare pointers into both objects.
    defer { withExtendedLifetime((indexer, buffer)) {} }
    do throws(JSONError) {
      let tokens = try indexer.index(buffer)
      let (value, next) = try JSONSource(tokens).node(0, depth: 0, path: "")
      guard next == tokens.count else { throw JSONError("text after the end of the value", at: tokens.start(next)) }
      return value
    } catch {
      throw JSONError(error.message, at: error.offset + mark)
    }
  }

  private func line(of token: Int) -> Int {
    let start = tokens.start(token)
    while counted < start {
      if tokens.base[counted] == UInt8(ascii: "\n") { line += 1 }
      counted += 1
    }
    return line
  }

  private func node(_ token: Int, depth: Int, path: String) throws(JSONError) -> (SourceNode, Int) {
    let line = line(of: token)
    func leaf(_ content: SourceNode.Content) -> (SourceNode, Int) {
      (SourceNode(content, line: line, path: path), token + 1)
    }
    switch tokens.first(token) {
    case UInt8(ascii: "{"): return try mapping(token, line, depth, path)
    case UInt8(ascii: "["): return try list(token, line, depth, path)
    default: break
    }
    let (value, _) = try tokens.value(token, depth: depth, scratch: scratch)
    switch value {
    case .null: return leaf(.null)
    case .bool(let value): return leaf(.bool(value))
    case .number(let number): return leaf(.number(number.text))
    case .string(let text): return leaf(.text(text))
    case .array, .object: return leaf(.null)
    }
  }

  private func mapping(
    _ open: Int, _ line: Int, _ depth: Int, _ path: String
  ) throws(JSONError) -> (SourceNode, Int) {
    try tokens.checkDepth(depth, open)
    var members: [SourceNode.Member] = []
    var indices: [String: Int] = [:]
    var token = open + 1
    if tokens.first(token) == UInt8(ascii: "}") { return (SourceNode(.mapping([]), line: line, path: path), token + 1) }
    while true {
      guard tokens.first(token) == UInt8(ascii: "\"") else { throw tokens.unexpected(token, "a member name in quotes") }
      let name = try tokens.text(token, scratch: scratch)
      guard tokens.first(token + 1) == UInt8(ascii: ":") else { throw tokens.unexpected(token + 1, "':'") }
      let (value, next) = try node(token + 2, depth: depth + 1, path: path.isEmpty ? name : "\(path).\(name)")
      if let index = indices[name] {
        members[index] = SourceNode.Member(name: name, value: value)
      } else {
        indices[name] = members.count
        members.append(SourceNode.Member(name: name, value: value))
      }
      token = next + 1
      switch tokens.first(next) {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "}"): return (SourceNode(.mapping(members), line: line, path: path), token)
      default: throw tokens.unexpected(next, "',' or '}'")
      }
    }
  }

  private func list(_ open: Int, _ line: Int, _ depth: Int, _ path: String) throws(JSONError) -> (SourceNode, Int) {
    try tokens.checkDepth(depth, open)
    var elements: [SourceNode] = []
    var token = open + 1
    if tokens.first(token) == UInt8(ascii: "]") { return (SourceNode(.list([]), line: line, path: path), token + 1) }
    while true {
      let (value, next) = try node(token, depth: depth + 1, path: "\(path)[\(elements.count)]")
      elements.append(value)
      token = next + 1
      switch tokens.first(next) {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "]"): return (SourceNode(.list(elements), line: line, path: path), token)
      default: throw tokens.unexpected(next, "',' or ']'")
      }
    }
  }
}
