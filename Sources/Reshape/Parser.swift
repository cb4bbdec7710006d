internal import JSONSyntax

/// Parses a program by precedence climbing.
///
/// Names are resolved during parsing, and nodes are stored in a flat array.
struct Parser {
  /// The maximum nesting of brackets; each level takes about 3 KiB of stack.
  static let maximumDepth = 48
  /// The maximum length of a program in bytes.
  static let maximumLength = 64 << 10

  var lexer: Lexer
  var token = Lexer.Token(kind: .end, offset: 0)
  var program: Program
  /// The functions that every program can call, by `name/count`.
  var known: [String: Int32]
  var scope = Scope()
  var depth = 0

  init(_ text: String, prelude: Prelude) {
    lexer = Lexer(text)
    program = prelude.program
    known = prelude.functions
  }

  /// Parses the whole text as one program.
  mutating func parse() throws(ReshapeError) -> Ref {
    guard lexer.bytes.count <= Self.maximumLength else {
      throw ReshapeError("the program is longer than \(Self.maximumLength) bytes", at: Self.maximumLength)
    }
    try advance()
    guard token.kind != .end else {
      throw ReshapeError("the program is empty", at: 0, help: "'.' returns the input unchanged")
    }
    let result = try pipe()
    guard token.kind == .end else { throw unexpected("the end of the program") }
    return result
  }

  // MARK: - Tokens

  mutating func advance() throws(ReshapeError) { token = try lexer.next() }

  func isSign(_ sign: String) -> Bool { token.kind == .sign(sign) }

  func isWord(_ word: String) -> Bool { token.kind == .word(word) }

  mutating func take(_ sign: String) throws(ReshapeError) -> Bool {
    guard isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: String) throws(ReshapeError) {
    guard try take(sign) else { throw unexpected("'\(sign)'") }
  }

  mutating func expect(word: String) throws(ReshapeError) {
    guard isWord(word) else { throw unexpected("'\(word)'") }
    try advance()
  }

  func unexpected(_ expected: String) -> ReshapeError {
    let found: String
    switch token.kind {
    case .word(let text): found = "'\(text)'"
    case .field(let text): found = "'.\(text)'"
    case .variable(let text): found = "'$\(text)'"
    case .format(let text): found = "'@\(text)'"
    case .number(let text): found = "the number \(text.prefix(40))"
    case .quote: found = "a string"
    case .sign(let text): found = "'\(text)'"
    case .end: found = "the end of the program"
    }
    return ReshapeError("\(expected) was expected, not \(found)", at: token.offset)
  }

  mutating func deeper() throws(ReshapeError) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw ReshapeError("the program is nested more than \(Self.maximumDepth) levels deep", at: token.offset)
    }
  }

  // MARK: - Pipes

  /// A stage of a pipe, except the last. Stages are stored until the pipe is complete, so long pipes do not recurse.
  private enum Stage {
    case expression(Ref)
    /// A source and the bindings of its pattern.
    case binding(Ref, [Ref])
    case label
  }

  /// Parses `def …; stage | stage | …`.
  mutating func pipe() throws(ReshapeError) -> Ref {
    try deeper()
    defer { depth -= 1 }
    let mark = scope.mark
    var stages: [Stage] = []
    var result: Ref = -1
    reading: while true {
      if isWord("def") {
        try definition()
        continue
      }
      if isWord("label") {
        try advance()
        guard case .variable(let name) = token.kind else { throw unexpected("a '$name'") }
        try advance()
        try expect("|")
        scope.push(.label, name)
        stages.append(.label)
        continue
      }
      let term = try postfix(atStart: true)
      if isWord("as") {
        try advance()
        stages.append(.binding(term, try pattern()))
        try expect("|")
        continue
      }
      let expression = try binary(from: term, minimum: 0)
      if try take("|") {
        stages.append(.expression(expression))
      } else {
        result = expression
        break reading
      }
    }
    for stage in stages.reversed() {
      switch stage {
      case .expression(let left): result = program.add(.pipe(left, result))
      case .binding(let source, let bindings): result = bound(source, bindings, result)
      case .label: result = program.add(.label(result))
      }
    }
    scope.reset(to: mark)
    return result
  }

  /// Parses `def name(parameters): body;`.
  mutating func definition() throws(ReshapeError) {
    try advance()
    guard case .word(let name) = token.kind else { throw unexpected("a function's name") }
    guard !Self.keywords.contains(name) else { throw unexpected("a function's name") }
    try advance()
    var parameters: [(name: String, isValue: Bool)] = []
    if try take("(") {
      repeat {
        switch token.kind {
        case .word(let parameter): parameters.append((parameter, false))
        case .variable(let parameter): parameters.append((parameter, true))
        default: throw unexpected("a parameter")
        }
        try advance()
      } while try take(";")
      try expect(")")
    }
    try expect(":")
    let index = Int32(program.functions.count)
    program.functions.append(Program.Function(parameterCount: parameters.count))
    scope.define(name, parameters.count, index)
    let mark = scope.mark
    for parameter in parameters { scope.push(.closure, parameter.name) }
    // A parameter `$x` is a closure `x`; each of its values is bound to `$x`, one after the other.
    var sources: [Ref] = []
    for (position, parameter) in parameters.enumerated() where parameter.isValue {
      sources.append(program.add(.parameter(Int32(parameters.count - 1 - position + sources.count))))
      scope.push(.value, parameter.name)
    }
    var body = try pipe()
    for source in sources.reversed() { body = program.add(.bind(source, body)) }
    scope.reset(to: mark)
    program.functions[Int(index)].body = body
    try expect(";")
  }

  /// Builds `source as $x | body`, where bindings name the variables; with a pattern, each variable gets its part of the
  /// value of the source.
  mutating func bound(_ source: Ref, _ bindings: [Ref], _ body: Ref) -> Ref {
    program.add(.bind(source, bound(bindings, body)))
  }

  mutating func bound(_ bindings: [Ref], _ body: Ref) -> Ref {
    var body = body
    for binding in bindings.reversed() { body = program.add(.bind(binding, body)) }
    return body
  }

  static let keywords: Set<String> = [
    "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "and", "or",
    "import", "include", "__loc__",
  ]
}
