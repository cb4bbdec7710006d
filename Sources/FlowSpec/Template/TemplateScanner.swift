import Expressions
import SourceDiagnostics

/// Cuts a text into plain pieces and references; offsets are UTF-8 bytes of that text.
struct TemplateScanner {
  /// A piece with the bytes it was written in, braces included.
  struct Piece {
    var segment: Template.Segment
    var offsets: Range<Int>
    /// The bytes of the name after the dot, or of the whole expression; nil for text.
    var name: Range<Int>?
  }

  /// A mistake with the bytes it is about.
  struct TemplateError {
    var code: FlowCode
    var message: String
    var offsets: Range<Int>
    var help: String?
    /// What to put in place of these bytes.
    var replacement: String?
  }

  /// What a template may hold.
  static let allowed = "allowed here are vars.NAME, secrets.NAME, env.NAME and a text in quotes"

  private let bytes: [UInt8]
  private(set) var pieces: [Piece] = []
  private(set) var faults: [TemplateError] = []
  private var plain: [UInt8] = []
  private var plainStart = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    var index = 0
    while let open = Self.firstBraces(in: bytes, from: index) {
      plain.append(contentsOf: bytes[index..<open])
      index = readTemplate(at: open)
    }
    plain.append(contentsOf: bytes[index...])
    endPlain(at: bytes.count)
  }

  /// Where the next `{{` stands.
  static func firstBraces(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") { return index }
      index += 1
    }
    return nil
  }

  /// Whether a text holds a template at all: the common case is that it does not.
  static func hasTemplate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var index = 0
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") { return true }
        index += 1
      }
      return false
    }
  }

  private mutating func endPlain(at end: Int) {
    if !plain.isEmpty {
      pieces.append(
        Piece(segment: .text(String(decoding: plain, as: UTF8.self)), offsets: plainStart..<end, name: nil))
    }
    plain = []
    plainStart = end
  }

  /// Reads from `{{`; gives the place to go on from.
  private mutating func readTemplate(at open: Int) -> Int {
    var index = skipSpace(open + 2)
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
      let quote = bytes[index]
      let start = index + 1
      if let end = bytes[start...].firstIndex(of: quote) {
        index = skipSpace(end + 1)
        if isClose(index) {
          plain.append(contentsOf: bytes[start..<end])
          return index + 2
        }
      }
    }
    guard let close = Expression.end(of: bytes, from: open + 2) else {
      faults.append(
        TemplateError(
          code: .templateUnclosed, message: "'{{' is not closed", offsets: open..<open + 2,
          help: "close it with '}}'; for the braces themselves write {{ \"{{\" }}"))
      return Self.firstBraces(in: bytes, from: open + 2) ?? bytes.count
    }
    var end = close
    var start = skipSpace(open + 2)
    while end > start, ASCII.isSpace(bytes[end - 1]) { end -= 1 }
    start = min(start, end)
    readReference(start..<end, whole: open..<close + 2)
    return close + 2
  }

  private mutating func readReference(_ inner: Range<Int>, whole: Range<Int>) {
    guard !inner.isEmpty else {
      faults.append(
        TemplateError(code: .templateEmpty, message: "the template is empty", offsets: whole, help: Self.allowed))
      return
    }
    let text = String(decoding: bytes[inner], as: UTF8.self)
    let parts = bytes[inner].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy(Self.isName) else { return readExpression(text, inner, whole: whole) }
    let name = String(decoding: parts[1], as: UTF8.self)
    switch String(decoding: parts[0], as: UTF8.self) {
    case "vars": add(.variable(name), name: parts[1].indices, whole: whole)
    case "secrets": add(.secret(name), name: parts[1].indices, whole: whole)
    case "env": add(.environment(name), name: parts[1].indices, whole: whole)
    default: readExpression(text, inner, whole: whole)
    }
  }

  private mutating func readExpression(_ text: String, _ inner: Range<Int>, whole: Range<Int>) {
    do throws(ExpressionError) {
      add(.expression(try Expression(parsing: text)), name: inner, whole: whole)
    } catch {
      faults.append(TemplateError(error, from: inner.lowerBound))
    }
  }

  private mutating func add(_ segment: Template.Segment, name: Range<Int>, whole: Range<Int>) {
    endPlain(at: whole.lowerBound)
    pieces.append(Piece(segment: segment, offsets: whole, name: name))
    plainStart = whole.upperBound
  }

  /// The source of values that a word like those of other systems means.
  static func meantRoot(_ root: String) -> String? {
    switch root.lowercased() {
    case "config", "var", "variables", "params", "inputs", "parameters": "vars"
    case "environment", "environ": "env"
    default: NearMiss.suggestion(for: root, in: ["vars", "secrets", "env"])
    }
  }

  private static func isName(_ part: ArraySlice<UInt8>) -> Bool {
    guard let lead = part.first, ASCII.isNameStart(lead) else { return false }
    return part.allSatisfy(ASCII.isNameCharacter)
  }

  private func skipSpace(_ start: Int) -> Int {
    var index = start
    while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
    return index
  }

  private func isClose(_ index: Int) -> Bool {
    index + 1 < bytes.count && bytes[index] == UInt8(ascii: "}") && bytes[index + 1] == UInt8(ascii: "}")
  }
}
