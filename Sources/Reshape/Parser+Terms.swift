internal import JSONSyntax

extension Parser {
  mutating func term() throws(ReshapeError) -> Ref {
    let start = token
    switch token.kind {
    case .number(let text):
      try advance()
      return program.constant(.number(JSONNumber(validated: text)))
    case .quote:
      return try string(format: nil)
    case .format(let name):
      return try format(name)
    case .field(let name):
      try advance()
      let position = program.name(name)
      return try step(on: program.add(.identity)) { $0.add(.field($1, position)) }
    case .variable(let name):
      guard let up = scope.find(.value, name) else { throw unknownVariable(name) }
      try advance()
      return program.add(.variable(up))
    case .sign("."):
      try advance()
      let identity = program.add(.identity)
      guard token.kind == .quote else { return identity }
      return try keyed(identity, try string(format: nil))
    case .sign(".."):
      try advance()
      return try call("recurse", [], at: start.offset)
    case .sign("("):
      try advance()
      let inner = try pipe()
      try expect(")")
      return inner
    case .sign("["):
      try advance()
      if try take("]") { return program.constant(.array([])) }
      let inner = try pipe()
      try expect("]")
      return program.add(.array(inner))
    case .sign("{"):
      return try object()
    case .word(let word):
      return try self.word(word)
    default:
      throw unexpected("an expression")
    }
  }

  private mutating func word(_ word: String) throws(ReshapeError) -> Ref {
    let offset = token.offset
    // A keyword counts as a separate level, because it needs more stack than a bracket.
    try deeper()
    defer { depth -= 1 }
    switch word {
    case "if": return try condition()
    case "try":
      try advance()
      let body = try postfix()
      guard isWord("catch") else { return program.add(.attempt(body, -1)) }
      try advance()
      return program.add(.attempt(body, try postfix()))
    case "reduce": return try reduce()
    case "foreach": return try foreach()
    case "def":
      let mark = scope.mark
      try definition()
      let body = try pipe()
      scope.reset(to: mark)
      return body
    case "label":
      return try pipe()
    case "null", "true", "false":
      try advance()
      return program.constant(word == "null" ? .null : .bool(word == "true"))
    case "break":
      try advance()
      guard case .variable(let name) = token.kind else { throw unexpected("a label's '$name'") }
      guard let up = scope.find(.label, name) else {
        throw ReshapeError(
          "no label '$\(name)' is in scope", at: token.offset, help: "write 'label $\(name) | …' around it")
      }
      try advance()
      return program.add(.exit(up))
    default:
      guard !Self.keywords.contains(word) else { throw unexpected("an expression") }
      try advance()
      var arguments: [Ref] = []
      if try take("(") {
        repeat { arguments.append(try pipe()) } while try take(";")
        try expect(")")
      }
      return try call(word, arguments, at: offset)
    }
  }

  private mutating func condition() throws(ReshapeError) -> Ref {
    var branches: [(Ref, Ref)] = []
    var otherwise: Ref = -1
    repeat {
      try advance()
      let test = try pipe()
      try expect(word: "then")
      branches.append((test, try pipe()))
    } while isWord("elif")
    if isWord("else") {
      try advance()
      otherwise = try pipe()
    }
    try expect(word: "end")
    for (test, branch) in branches.reversed() { otherwise = program.add(.condition(test, branch, otherwise)) }
    return otherwise
  }

  /// Parses `TERM as PATTERN (initial;`.
  ///
  /// The pattern's names remain in scope, but not for the initial value.
  private mutating func loopHead() throws(ReshapeError) -> (source: Ref, bindings: [Ref], initial: Ref) {
    try advance()
    let source = try postfix(atStart: true)
    try expect(word: "as")
    let outside = scope
    let bindings = try pattern()
    let inside = scope
    scope = outside
    try expect("(")
    let initial = try pipe()
    try expect(";")
    scope = inside
    return (source, bindings, initial)
  }

  /// Parses `reduce TERM as PATTERN (initial; update)`.
  private mutating func reduce() throws(ReshapeError) -> Ref {
    let mark = scope.mark
    let (source, bindings, initial) = try loopHead()
    let update = bound(bindings, try pipe())
    try expect(")")
    scope.reset(to: mark)
    return program.add(.reduce(source: source, initial: initial, update: update))
  }

  /// Parses `foreach TERM as PATTERN (initial; update; extract)`.
  private mutating func foreach() throws(ReshapeError) -> Ref {
    let mark = scope.mark
    let (source, bindings, initial) = try loopHead()
    let update = bound(bindings, try pipe())
    var extract: Ref = -1
    if try take(";") { extract = bound(bindings, try pipe()) }
    try expect(")")
    scope.reset(to: mark)
    return program.add(.foreach(source: source, initial: initial, update: update, extract: extract))
  }
}
