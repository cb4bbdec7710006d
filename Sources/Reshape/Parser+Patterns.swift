internal import JSONSyntax

extension Parser {
  /// Parses the pattern after `as`.
  ///
  /// The bound value is pushed first, then one binding for each of its parts.
  mutating func pattern() throws(ReshapeError) -> [Ref] {
    var bindings: [Ref] = []
    try pattern(into: &bindings)
    if isSign("?//") {
      throw ReshapeError("'?//' is not supported", at: token.offset, help: "decide with 'if type == …'")
    }
    return bindings
  }

  private mutating func pattern(into bindings: inout [Ref]) throws(ReshapeError) {
    try deeper()
    defer { depth -= 1 }
    switch token.kind {
    case .variable(let name):
      try advance()
      scope.push(.value, name)
    case .sign("["):
      try advance()
      let position = hidden()
      var index: Int64 = 0
      repeat {
        let key = program.constant(.integer(index))
        bindings.append(part(of: position, key))
        try pattern(into: &bindings)
        index += 1
      } while try take(",")
      try expect("]")
    case .sign("{"):
      try advance()
      let position = hidden()
      repeat { try member(of: position, into: &bindings) } while try take(",")
      try expect("}")
    default:
      throw unexpected("'$name', '[' or '{'")
    }
  }

  private mutating func member(of position: Int, into bindings: inout [Ref]) throws(ReshapeError) {
    switch token.kind {
    case .variable(let name):
      try advance()
      bindings.append(part(of: position, program.constant(.string(name))))
      scope.push(.value, name)
      guard try take(":") else { return }
      bindings.append(program.add(.variable(0)))
      try pattern(into: &bindings)
      return
    case .word(let name):
      try advance()
      bindings.append(part(of: position, program.constant(.string(name))))
    case .quote:
      let key = try string(format: nil)
      bindings.append(part(of: position, key))
    case .sign("("):
      try advance()
      let key = try pipe()
      try expect(")")
      bindings.append(part(of: position, key))
    default:
      throw unexpected("a member's name")
    }
    try expect(":")
    try pattern(into: &bindings)
  }

  /// Pushes a binding without a name, for a value whose parts a pattern binds; returns the index of the binding.
  private mutating func hidden() -> Int {
    scope.push(.value, "")
    return scope.height - 1
  }

  private mutating func part(of position: Int, _ key: Ref) -> Ref {
    let whole = program.add(.variable(Int32(scope.height - 1 - position)))
    return program.add(.index(whole, key: key))
  }
}
