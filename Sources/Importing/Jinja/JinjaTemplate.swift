internal import ByteCodings

/// A Jinja template: text, expressions and blocks.
struct JinjaTemplate: Hashable {
  let parts: [JinjaPart]

  /// Whether the template has neither expressions nor blocks.
  var isConstant: Bool { parts.allSatisfy { if case .text = $0 { true } else { false } } }

  /// The text of a template without expressions and blocks; nil for other templates.
  var constant: String? {
    guard isConstant else { return nil }
    return parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// The expression of a template that is exactly one expression, apart from white space around it; nil for other
  /// templates.
  var only: JinjaExpression? {
    let rest = parts.filter { if case .text(let text) = $0 { text.contains { !$0.isWhitespace } } else { true } }
    guard rest.count == 1, case .expression(let expression) = rest[0] else { return nil }
    return expression
  }

  init(parts: [JinjaPart]) { self.parts = parts }

  /// Parses a template. As in Jinja, a line break at its end is not part of it.
  init(_ text: String) throws(JinjaError) {
    let text = text.last?.isNewline == true ? String(text.dropLast()) : text
    guard text.utf8.contains(UInt8(ascii: "{")) else {
      parts = text.isEmpty ? [] : [.text(text)]
      return
    }
    var scanner = JinjaScanner(Array(text.utf8))
    parts = try scanner.whole()
  }
}

/// Finds the texts, expressions and blocks of a template.
private struct JinjaScanner {
  private enum Piece {
    case text(String)
    case expression(JinjaExpression)
    case statement(ArraySlice<UInt8>)
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var trimsNext = false
  /// A block that is not closed yet, with the parts before it.
  private struct Block {
    let parts: [JinjaPart]
    /// The definitions of names before the block.
    let outer: JinjaDefinitions
    /// The head of a block `{% for %}`; nil for `{% if %}`.
    var loop: JinjaParser.LoopHead?
    /// The completed branches, with the names that they set.
    var settings: [JinjaDefinitions.Branch] = []
    var branches: [JinjaBranch] = []
    var condition: JinjaExpression?
    var hasElse = false
  }

  private var open: [Block] = []
  private var parts: [JinjaPart] = []
  private var definitions = JinjaDefinitions()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func whole() throws(JinjaError) -> [JinjaPart] {
    while let piece = try next() {
      switch piece {
      case .text(let text): if !text.isEmpty { parts.append(.text(text)) }
      case .expression(let expression): parts.append(.expression(try definitions.resolved(expression)))
      case .statement(let content): try take(content)
      }
    }
    if let block = open.last {
      throw JinjaError("a block '{% \(block.loop == nil ? "if" : "for") %}' is not closed")
    }
    return parts
  }

  private mutating func take(_ content: ArraySlice<UInt8>) throws(JinjaError) {
    let text = String(decoding: ASCII.trimmed(content), as: UTF8.self)
    let word = text.prefix { $0.isLetter }
    let rest = Array(text.dropFirst(word.count).utf8)[...]
    switch word {
    case "if":
      try begin(Block(parts: parts, outer: definitions, condition: try condition(rest)))
    case "for":
      let head = try JinjaParser.parseLoop(rest)
      guard !head.names.contains(where: { definitions.has($0) }) else {
        throw JinjaError("a name that both '{% set %}' and '{% for %}' set cannot be translated")
      }
      let loop = JinjaParser.LoopHead(
        names: head.names, list: try definitions.resolved(head.list),
        condition: try head.condition.map { condition throws(JinjaError) in try definitions.resolved(condition) })
      try begin(Block(parts: parts, outer: definitions, loop: loop))
      definitions = try definitions.inLoop()
    case "elif", "else":
      guard var block = open.popLast(), !block.hasElse else { throw JinjaError("'\(word)' without '{% if %}'") }
      guard block.loop == nil else { throw JinjaError("'{% else %}' of '{% for %}' cannot be translated") }
      end(branchOf: &block)
      definitions = block.outer
      block.condition = word == "elif" ? try condition(rest) : nil
      block.hasElse = word == "else"
      open.append(block)
      parts = []
    case "endif":
      guard var block = open.popLast(), block.loop == nil else { throw JinjaError("'endif' without '{% if %}'") }
      end(branchOf: &block)
      if !block.hasElse { block.settings.append(JinjaDefinitions.Branch(condition: nil, definitions: block.outer)) }
      definitions = try block.outer.after(block.settings)
      close(block, as: .choice(block.branches), isSilent: block.branches.allSatisfy { Self.isBlank($0.parts) })
    case "endfor":
      guard let block = open.popLast(), let loop = block.loop else {
        throw JinjaError("'endfor' without '{% for %}'")
      }
      let whole = JinjaLoop(names: loop.names, list: loop.list, condition: loop.condition, parts: parts)
      definitions = try block.outer.after(whole, definitions)
      close(block, as: .loop(whole), isSilent: Self.isBlank(parts))
    case "set":
      try definitions.add(rest)
      skipBlank()
    default: throw JinjaError("a block '{% \(word) %}' cannot be translated")
    }
  }

  /// Skips white space around the statements at the beginning of a template, which has no meaning.
  private mutating func skipBlank() {
    guard Self.isBlank(parts) else { return }
    parts = []
    trimsNext = true
  }

  private static func isBlank(_ parts: [JinjaPart]) -> Bool {
    JinjaTemplate(parts: parts).constant?.allSatisfy(\.isWhitespace) ?? false
  }

  private mutating func end(branchOf block: inout Block) {
    block.branches.append(JinjaBranch(condition: block.condition, parts: parts))
    block.settings.append(JinjaDefinitions.Branch(condition: block.condition, definitions: definitions))
  }

  /// Closes a block; a block that only sets names adds nothing to the text.
  private mutating func close(_ block: Block, as part: JinjaPart, isSilent: Bool) {
    parts = block.parts
    if isSilent { skipBlank() } else { parts.append(part) }
  }

  private mutating func begin(_ block: Block) throws(JinjaError) {
    guard open.count < 16 else { throw JinjaError("blocks are nested too deeply") }
    open.append(block)
    parts = []
  }

  private func condition(_ content: ArraySlice<UInt8>) throws(JinjaError) -> JinjaExpression {
    try definitions.resolved(try JinjaParser.parse(content))
  }

  private mutating func next() throws(JinjaError) -> Piece? {
    guard offset < bytes.count else { return nil }
    if let kind = opening(at: offset) { return try tagged(kind) }
    let start = offset
    while offset < bytes.count, opening(at: offset) == nil { offset += 1 }
    var text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if trimsNext { text = String(text.drop { $0.isWhitespace }) }
    trimsNext = false
    if opening(at: offset) != nil, offset + 2 < bytes.count, bytes[offset + 2] == UInt8(ascii: "-") {
      while let last = text.last, last.isWhitespace { text.removeLast() }
    }
    return .text(text)
  }

  /// The second byte of `{{`, `{%` or `{#` at an offset; nil if none of them begins there.
  private func opening(at offset: Int) -> UInt8? {
    guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "{"), "{%#".utf8.contains(bytes[offset + 1]) else {
      return nil
    }
    return bytes[offset + 1]
  }

  private mutating func tagged(_ kind: UInt8) throws(JinjaError) -> Piece {
    let close = kind == UInt8(ascii: "{") ? UInt8(ascii: "}") : kind
    var start = offset + 2
    if start < bytes.count, bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") { start += 1 }
    var end = start
    var (quote, braces): (UInt8?, Int) = (nil, 0)
    while true {
      guard end + 1 < bytes.count else {
        throw JinjaError("'{\(String(decoding: [kind], as: UTF8.self))' is not closed")
      }
      let byte = bytes[end]
      if kind == UInt8(ascii: "#") {
        if byte == close, bytes[end + 1] == UInt8(ascii: "}") { break }
      } else if let open = quote {
        if byte == UInt8(ascii: "\\") { end += 1 } else if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == close, bytes[end + 1] == UInt8(ascii: "}"), braces == 0 {
        break
      } else if byte == UInt8(ascii: "{") {
        braces += 1
      } else if byte == UInt8(ascii: "}") {
        braces = max(0, braces - 1)
      }
      end += 1
    }
    offset = end + 2
    var content = bytes[start..<end]
    trimsNext = content.last == UInt8(ascii: "-")
    if trimsNext { content = content.dropLast() }
    switch kind {
    case UInt8(ascii: "{"): return .expression(try JinjaParser.parse(content))
    case UInt8(ascii: "%"): return .statement(content)
    default: return .text("")
    }
  }
}
