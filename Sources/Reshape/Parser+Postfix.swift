internal import JSONSyntax

extension Parser {
  /// Parses a term and its suffixes: `.a`, `[0]`, `[]`, `[1:2]`, `?`.
  ///
  /// At the start of a stage of a pipe, a binding (`term as $x | …`) is left to the caller. In other positions the
  /// binding is parsed here and includes the rest of the pipe.
  mutating func postfix(atStart: Bool = false) throws(ReshapeError) -> Ref {
    var signs = 0
    let first = token.offset
    while isSign("-") {
      signs += 1
      try advance()
    }
    guard signs < 64 else { throw ReshapeError("too many '-' signs", at: first) }
    var term = try suffixed(try self.term())
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

  mutating func suffixed(_ start: Ref) throws(ReshapeError) -> Ref {
    var term = start
    while true {
      switch token.kind {
      case .field(let name):
        try advance()
        let name = program.name(name)
        term = try step(on: term) { $0.add(.field($1, name)) }
      case .sign("."):
        try advance()
        if isSign("[") {
          term = try bracket(term)
        } else if token.kind == .quote {
          term = try keyed(term, try string(format: nil))
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

  /// Creates a step on a target.
  ///
  /// A `?` directly after the step catches only errors of the step, not errors of the target.
  mutating func step(
    on target: Ref, depth: Int = 0, _ make: (inout Program, Ref) -> Ref
  ) throws(ReshapeError) -> Ref {
    guard try take("?") else { return make(&program, target) }
    let identity = program.add(.identity)
    let tried = program.add(.attempt(make(&program, identity), -1))
    var outer = target
    for _ in 0..<depth { outer = program.add(.outer(outer)) }
    if case .identity = program.nodes[Int(target)] { return tried }
    return program.add(.pipe(outer, tried))
  }

  /// Creates `target[key]`. The key is evaluated on the target's input, so it is bound first if a `?` follows.
  mutating func keyed(_ target: Ref, _ key: Ref) throws(ReshapeError) -> Ref {
    guard isSign("?") else { return program.add(.index(target, key: key)) }
    let bound = program.add(.variable(0))
    let tried = try step(on: target, depth: 1) { $0.add(.index($1, key: bound)) }
    return program.add(.bind(key, tried))
  }

  private mutating func sliced(_ target: Ref, _ from: Ref, _ to: Ref) throws(ReshapeError) -> Ref {
    guard isSign("?") else { return program.add(.slice(target, from: from, to: to)) }
    let (first, second) = (program.add(.variable(1)), program.add(.variable(0)))
    let tried = try step(on: target, depth: 2) { $0.add(.slice($1, from: first, to: second)) }
    let start = from >= 0 ? from : program.constant(.null)
    let end = to >= 0 ? program.add(.outer(to)) : program.constant(.null)
    return program.add(.bind(start, program.add(.bind(end, tried))))
  }

  /// Parses `[]`, `[key]` or `[from:to]`.
  private mutating func bracket(_ target: Ref) throws(ReshapeError) -> Ref {
    try expect("[")
    if try take("]") { return try step(on: target) { $0.add(.each($1)) } }
    if try take(":") {
      let to = try pipe()
      try expect("]")
      return try sliced(target, -1, to)
    }
    let key = try pipe()
    if try take(":") {
      if try take("]") { return try sliced(target, key, -1) }
      let to = try pipe()
      try expect("]")
      return try sliced(target, key, to)
    }
    try expect("]")
    return try keyed(target, key)
  }
}
