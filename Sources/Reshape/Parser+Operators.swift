internal import JSONSyntax

extension Parser {
  private enum Side {
    case left
    case right
    case none
  }

  /// The precedence of a binary operator, from 1 for ',', and its associativity.
  private func strength(_ kind: Lexer.Kind) -> (Int, Side)? {
    switch kind {
    case .sign(","): (1, .left)
    case .sign("//"): (2, .right)
    case .sign("="), .sign("|="), .sign("+="), .sign("-="), .sign("*="), .sign("/="), .sign("%="), .sign("//="):
      (3, .none)
    case .word("or"): (4, .left)
    case .word("and"): (5, .left)
    case .sign("=="), .sign("!="), .sign("<"), .sign("<="), .sign(">"), .sign(">="): (6, .none)
    case .sign("+"), .sign("-"): (7, .left)
    case .sign("*"), .sign("/"), .sign("%"): (8, .left)
    default: nil
    }
  }

  /// Parses an expression without `|` after its first operand.
  ///
  /// Operators with a lower precedence than the minimum are left to the caller.
  mutating func binary(from first: Ref, minimum: Int) throws(ReshapeError) -> Ref {
    var left = first
    var nonAssociative = 0
    while let (strength, side) = strength(token.kind), strength >= minimum {
      guard strength != nonAssociative else {
        throw ReshapeError("comparisons and assignments cannot be chained; use parentheses", at: token.offset)
      }
      let kind = token.kind
      try advance()
      if side == .right {
        // A chain of '//' is collected in a list, because the operator is right-associative.
        var operands = [left, try operand(above: strength)]
        while token.kind == kind {
          try advance()
          operands.append(try operand(above: strength))
        }
        left = operands.dropLast().reversed().reduce(operands[operands.count - 1]) { program.add(.alternative($1, $0)) }
        continue
      }
      nonAssociative = side == .none ? strength : 0
      let right = try operand(above: strength)
      left = try combined(kind, left, right)
    }
    return left
  }

  private mutating func operand(above strength: Int) throws(ReshapeError) -> Ref {
    try deeper()
    defer { depth -= 1 }
    return try binary(from: try postfix(), minimum: strength + 1)
  }

  private mutating func combined(_ kind: Lexer.Kind, _ left: Ref, _ right: Ref) throws(ReshapeError) -> Ref {
    switch kind {
    case .word("and"): return program.add(.and(left, right))
    case .word("or"): return program.add(.or(left, right))
    case .sign(let sign):
      if let arithmetic = Arithmetic(rawValue: sign) { return program.add(.arithmetic(arithmetic, left, right)) }
      if let comparison = JSONComparison(rawValue: sign) { return program.add(.comparison(comparison, left, right)) }
      switch sign {
      case ",": return program.add(.comma(left, right))
      case "|=": return program.add(.modify(left, right))
      default: return assigned(String(sign.dropLast()), left, right)
      }
    default: throw unexpected("an operator")
    }
  }

  /// Creates the nodes for `paths op= value`.
  ///
  /// The value is evaluated on the input and bound, then set or combined at every path. The paths are already parsed,
  /// so they are evaluated outside of this binding.
  private mutating func assigned(_ operation: String, _ paths: Ref, _ value: Ref) -> Ref {
    let old = program.add(.identity)
    let new = program.add(.variable(0))
    let update: Ref
    if let arithmetic = Arithmetic(rawValue: operation) {
      update = program.add(.arithmetic(arithmetic, old, new))
    } else if operation == "//" {
      update = program.add(.alternative(old, new))
    } else {
      update = new
    }
    return program.add(.bind(value, program.add(.modify(program.add(.outer(paths)), update))))
  }
}
