/// Errors for unexpected tokens.
extension Parser {
  /// The error for a token at a position where another one is expected.
  func unexpected(_ expected: String) -> ExpressionError {
    if let foreign = foreignWord { return foreign }
    let message: String
    switch current.kind {
    case .end: message = "expected \(expected), but the expression ends"
    case .name(let text), .sign(let text): message = "expected \(expected), found '\(text)'"
    case .int, .double: message = "expected \(expected), found a number"
    case .string: message = "expected \(expected), found a text"
    }
    return ExpressionError(.unexpectedToken, message, at: current.range, help: help(expected))
  }

  private func help(_ expected: String) -> String? {
    let closers = [")", "]", "}"].filter { expected.hasSuffix("'\($0)'") }
    switch current.kind {
    case .end: return closers.first.map { "close the bracket with '\($0)'" }
    case .sign(":") where expected == "']'": return "a part of a text or list is written slice(value, from, to)"
    case .sign("."): return "a lookup begins with a name, for example record.status or response.total"
    case .sign(let sign) where [")", "]", "}"].contains(sign):
      return expected.hasPrefix("the end") ? "remove it: no bracket is open here" : nil
    case .sign: return nil
    case .name, .int, .double, .string:
      if expected.hasPrefix("','") { return "separate the entries with ','" }
      return expected.hasPrefix("the end") ? "an operator is missing; texts are joined with '+'" : nil
    }
  }

  /// The error for a word of another language. The parser reads such a word as a name, and fails at the token after it.
  private var foreignWord: ExpressionError? {
    let isMember = position >= 2 && tokens[position - 2].kind == .sign(".")
    if position >= 1, !isMember, case .name(let word) = tokens[position - 1].kind {
      let before = tokens[position - 1].range
      if case .string = current.kind, before.upperBound == current.range.lowerBound {
        return ExpressionError(
          .unexpectedToken, "'\(word)' cannot stand in front of a text", at: before,
          help: "values are joined to a text with '+', for example 'id-' + string(record.id)")
      }
      if let prefix = ForeignSyntax.prefixes[word] { return prefix.error(.unexpectedToken, at: before) }
    }
    guard case .name(let word) = current.kind, let infix = ForeignSyntax.infixes[word] else { return nil }
    if word == "is", position + 1 < tokens.count, tokens[position + 1].kind == .name("not") {
      return ExpressionError(
        .unexpectedToken, "'is not' is not an operator",
        at: current.range.lowerBound..<tokens[position + 1].range.upperBound, suggestion: "!=",
        help: "inequality is written '!='")
    }
    return infix.error(.unexpectedToken, at: current.range)
  }
}
