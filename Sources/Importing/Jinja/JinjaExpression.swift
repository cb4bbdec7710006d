/// An expression of a Jinja template.
indirect enum JinjaExpression: Hashable {
  case none
  case bool(Bool)
  case integer(String)
  case number(String)
  case text(String)
  case list([JinjaExpression])
  case mapping([Pair])
  case name(String)
  /// A member by a name or an expression: `a.b`, `a['b']`.
  case member(JinjaExpression, JinjaExpression)
  case range(JinjaExpression, from: JinjaExpression?, to: JinjaExpression?)
  case call(JinjaExpression, [JinjaArgument])
  case filter(JinjaExpression, String, [JinjaArgument])
  case test(JinjaExpression, String, [JinjaExpression], isNegated: Bool)
  case not(JinjaExpression)
  case negative(JinjaExpression)
  case binary(JinjaExpression, Operator, JinjaExpression)
  case conditional(JinjaExpression, then: JinjaExpression, otherwise: JinjaExpression?)

  /// An operator between two expressions.
  enum Operator: String, Hashable {
    case or, and
    case equal = "==", different = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case `in`, notIn
    case plus = "+", minus = "-", join = "~", times = "*", divided = "/", wholeDivided = "//", rest = "%", power = "**"
  }

  /// A name and its value.
  struct Pair: Hashable {
    let name: JinjaExpression
    let value: JinjaExpression
  }
}

/// An argument of a function or a filter.
struct JinjaArgument: Hashable {
  /// The name of a keyword argument.
  let name: String?
  let value: JinjaExpression
}

/// A part of a template.
enum JinjaPart: Hashable {
  case text(String)
  case expression(JinjaExpression)
  /// A block `{% if %}`: the branches with their conditions, the last one without.
  case choice([JinjaBranch])
}

/// A branch of a block `{% if %}`.
struct JinjaBranch: Hashable {
  /// Nil for `else`.
  let condition: JinjaExpression?
  let parts: [JinjaPart]
}

/// The error for a template that is not valid, or that uses what flows have no counterpart for.
struct JinjaError: Error, Hashable {
  /// What is wrong.
  let message: String

  init(_ message: String) { self.message = message }
}
