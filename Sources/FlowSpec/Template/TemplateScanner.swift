import Expressions
import FlowModel
import SourceDiagnostics

/// Splits a text into plain pieces and references. Offsets are UTF-8 bytes of the text.
struct TemplateScanner {
  /// A piece with its byte range in the text, including braces.
  struct Piece {
    var segment: Template.Segment
    var offsets: Range<Int>
    /// The byte range of the name after the dot, or of the whole expression; nil for text.
    var name: Range<Int>?
  }

  /// An error with the byte range in the text that it refers to.
  struct TemplateError {
    var code: FlowCode
    var message: String
    var offsets: Range<Int>
    var help: String?
    /// A replacement for the bytes in this range, if known.
    var replacement: String?
  }

  /// The help text that lists the allowed content of a template.
  static let allowed = "allowed here are vars.NAME, secrets.NAME, env.NAME and a text in quotes"

  private let bytes: [UInt8]
  private(set) var pieces: [Piece] = []
  private(set) var errors: [TemplateError] = []
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

  /// The index of the next `{{`; nil if there is none.
  static func firstBraces<Bytes: RandomAccessCollection>(in bytes: Bytes, from start: Int) -> Int?
  where Bytes.Element == UInt8, Bytes.Index == Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") { return index }
      index += 1
    }
    return nil
  }

  /// Whether a text contains a template. Most texts do not.
  static func hasTemplate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { firstBraces(in: $0, from: 0) != nil }
  }

  /// The members after a root, if the text is exactly one template that looks them up: `.data` of `{{ response.data
  /// }}`.
  func lookup(of root: String) -> String? {
    guard pieces.count == 1, case .expression(let expression)? = pieces.first?.segment,
      expression.references.count == 1, let reference = expression.references.first, reference.root == root,
      reference.range.upperBound == expression.text.utf8.count
    else { return nil }
    return String(expression.text.dropFirst(root.count))
  }

  private mutating func endPlain(at end: Int) {
    if !plain.isEmpty {
      pieces.append(
        Piece(segment: .text(String(decoding: plain, as: UTF8.self)), offsets: plainStart..<end, name: nil))
    }
    plain = []
    plainStart = end
  }

  /// Reads a template that starts with `{{` at an index. Returns the index after the template.
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
      if let quote = unclosedQuote(from: open + 2) {
        errors.append(quote)
        return bytes.count
      }
      errors.append(
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
      errors.append(
        TemplateError(code: .templateEmpty, message: "the template is empty", offsets: whole, help: Self.allowed))
      return
    }
    if let first = bytes[inner].first, "#/>^&{-".utf8.contains(first), let foreign = foreignMark(first, inner, whole) {
      return errors.append(foreign)
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
      errors.append(TemplateError(error, from: inner.lowerBound))
    }
  }

  /// The error for a template with a quote that is not closed before the `}}`.
  private func unclosedQuote(from start: Int) -> TemplateError? {
    guard let close = bytes[start...].firstRange(of: "}}".utf8)?.lowerBound,
      let error = parsingError(of: start..<close), error.kind == .unclosedText
    else { return nil }
    var result = TemplateError(error, from: start)
    result.offsets = result.offsets.lowerBound..<result.offsets.lowerBound + 1
    return result
  }

  private func parsingError(of range: Range<Int>) -> ExpressionError? {
    do throws(ExpressionError) {
      _ = try Expression(parsing: String(decoding: bytes[range], as: UTF8.self))
      return nil
    } catch {
      return error
    }
  }

  /// The error for a mark of another template language after the braces: `{{#if x}}`, `{{{ x }}}`, `{{- x -}}`.
  private func foreignMark(_ mark: UInt8, _ inner: Range<Int>, _ whole: Range<Int>) -> TemplateError? {
    let help: String
    switch mark {
    case UInt8(ascii: "{"):
      guard bytes[inner].last == UInt8(ascii: "}"), parsingError(of: inner) != nil else { return nil }
      help = "write two braces on each side: {{ vars.NAME }}"
    case UInt8(ascii: "-"):
      guard bytes[inner].last == mark else { return nil }
      help = "leave the '-' out: nothing is trimmed around a template"
    default:
      guard inner.lowerBound == whole.lowerBound + 2 else { return nil }
      help = "write a condition as {{ condition ? value : other }}, and a list with join(…)"
    }
    return TemplateError(
      code: .foreignTemplate, message: "'{{\(UnicodeScalar(mark))' belongs to another template language",
      offsets: whole.lowerBound..<inner.lowerBound + 1, help: help)
  }

  private mutating func add(_ segment: Template.Segment, name: Range<Int>, whole: Range<Int>) {
    endPlain(at: whole.lowerBound)
    pieces.append(Piece(segment: segment, offsets: whole, name: name))
    plainStart = whole.upperBound
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

extension TemplateScanner.TemplateError {
  /// Converts an error in an expression. `start` is the byte offset of the expression in the text.
  init(_ error: ExpressionError, from start: Int) {
    let code: FlowCode =
      switch error.kind {
      case .empty, .tooLong, .tooDeep, .unexpectedCharacter, .unclosedText, .badEscape, .badNumber, .unexpectedToken:
        .expressionSyntax
      case .unknownName: .templateUnknownRoot
      case .unknownMember, .unknownFunction, .hiddenName, .repeatedKey: .expressionName
      case .argumentCount, .wrongType, .badArgument: .expressionType
      case .mayBeMissing: .expressionMissing
      }
    self.init(
      code: code, message: error.message,
      offsets: start + error.range.lowerBound..<start + error.range.upperBound, help: error.help,
      replacement: error.suggestion)
  }
}
