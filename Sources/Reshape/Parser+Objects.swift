internal import JSONSyntax

extension Parser {
  /// Parses an object: `{a: 1, "b": 2, (.c): 3, d, $e, "f g", @base64 "h": 4}`.
  mutating func object() throws(ReshapeError) -> Ref {
    try expect("{")
    var parts: [Ref] = []
    while !isSign("}") {
      let (key, short) = try key()
      parts.append(key)
      if try take(":") {
        parts.append(try value())
      } else if let short {
        parts.append(short)
      } else {
        throw unexpected("':'")
      }
      guard try take(",") else { break }
    }
    try expect("}")
    guard !parts.isEmpty else { return program.constant(.object(JSONObject())) }
    return program.add(.object(program.list(parts), Int32(parts.count / 2)))
  }

  /// Parses a key; returns also its value for the short syntax without a value.
  private mutating func key() throws(ReshapeError) -> (Ref, Ref?) {
    switch token.kind {
    case .word(let name):
      try advance()
      return (program.constant(.string(name)), program.add(.field(program.add(.identity), program.name(name))))
    case .variable(let name):
      guard let up = scope.find(.value, name) else { throw unknownVariable(name) }
      try advance()
      return (program.constant(.string(name)), program.add(.variable(up)))
    case .number(let text):
      throw ReshapeError(
        "a member's name is a text, not a number", at: token.offset, help: "write \"\(text.prefix(40))\"")
    case .quote, .format:
      let key = token.kind == .quote ? try string(format: nil) : try formattedString()
      return (key, program.add(.index(program.add(.identity), key: key)))
    case .sign("("):
      try advance()
      let key = try pipe()
      try expect(")")
      return (key, nil)
    default:
      throw unexpected("a member's name")
    }
  }

  private mutating func formattedString() throws(ReshapeError) -> Ref {
    guard case .format = token.kind else { throw unexpected("a string") }
    return try term()
  }

  /// Parses a member's value: alternatives of terms joined by `|`, without commas.
  private mutating func value() throws(ReshapeError) -> Ref {
    try deeper()
    defer { depth -= 1 }
    var stages: [Ref] = []
    repeat { stages.append(try binary(from: try postfix(), minimum: 2)) } while try take("|")
    var result = stages.removeLast()
    for stage in stages.reversed() { result = program.add(.pipe(stage, result)) }
    return result
  }
}
