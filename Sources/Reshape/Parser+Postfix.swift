internal import JSONSyntax

extension Parser {
  /// A term and what is hung onto it: `.a`, `[0]`, `[]`, `[1:2]`, `?`.
  ///
  /// A binding (`term as $x | …`) is left to the caller at the start of a pipe's stage; elsewhere it is read here, and
  /// reaches to the end of the pipe.
  mutating func postfix(atStart: Bool = false) throws(ReshapeError) -> Ref {
    var signs = 0
    let first = token.offset
    while isSign("-") {
      signs += 1
      try advance()
    }
    guard signs < 64 else { throw ReshapeError("too many signs", at: first) }
    var term = try hung(on: try self.term())
    if isWord("as"), signs > 0 || !atStart { term = try inner(term) }
    for _ in 0..<signs { term = program.add(.negation(term)) }
    return term
  }

  private mutating func inner(_ source: Ref) throws(ReshapeError) -> Ref {
    let mark = scope.mark
    try advance()
    let bindings = try pattern()
    try expect("|")
    let body = try pipe()
    scope.reset(to: mark)
    return bound(source, bindings, body)
  }

  mutating func hung(on start: Ref) throws(ReshapeError) -> Ref {
    var term = start
    while true {
      switch token.kind {
      case .field(let name):
        try advance()
        term = program.add(.field(term, program.name(name)))
      case .sign("."):
        try advance()
        if isSign("[") {
          term = try bracket(term)
        } else if token.kind == .quote {
          let key = try string(format: nil)
          term = program.add(.index(term, key: key))
        } else {
          throw unexpected("a name, '\"' or '['")
        }
      case .sign("["):
        term = try bracket(term)
      case .sign("?"):
        try advance()
        term = program.add(.attempt(term, -1))
      default:
        return term
      }
    }
  }

  /// `[]`, `[key]`, `[from:to]`
  private mutating func bracket(_ target: Ref) throws(ReshapeError) -> Ref {
    try expect("[")
    if try take("]") { return program.add(.each(target)) }
    if try take(":") {
      let to = try pipe()
      try expect("]")
      return program.add(.slice(target, from: -1, to: to))
    }
    let key = try pipe()
    if try take(":") {
      if try take("]") { return program.add(.slice(target, from: key, to: -1)) }
      let to = try pipe()
      try expect("]")
      return program.add(.slice(target, from: key, to: to))
    }
    try expect("]")
    return program.add(.index(target, key: key))
  }
}
