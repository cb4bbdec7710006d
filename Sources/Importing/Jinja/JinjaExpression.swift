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
  /// The list of the values that an expression has for the elements of a loop. It represents a block `{% for %}`; no
  /// template can write it as an expression.
  case collected(JinjaExpression, from: JinjaLoop)

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

extension JinjaExpression {
  /// A member of a mapping, by its name.
  struct Member {
    let name: String
    let value: JinjaExpression
  }

  /// The members of a mapping, or of a choice between mappings; nil for other expressions.
  ///
  /// A member that is missing in one of the two mappings has no value when that mapping is chosen.
  var members: [Member]? {
    switch self {
    case .none: return []
    case .mapping(let pairs):
      var result: [Member] = []
      for pair in pairs {
        guard case .text(let name) = pair.name else { return nil }
        result.append(Member(name: name, value: pair.value))
      }
      return result
    case .conditional(let condition, let then, let otherwise):
      guard let first = then.members, let second = (otherwise ?? .none).members else { return nil }
      func value(_ name: String, in members: [Member]) -> JinjaExpression {
        members.last { $0.name == name }?.value ?? .none
      }
      var names: [String] = []
      for member in first + second where !names.contains(member.name) { names.append(member.name) }
      return names.map { name in
        let (one, other) = (value(name, in: first), value(name, in: second))
        return Member(name: name, value: one == other ? one : .conditional(condition, then: one, otherwise: other))
      }
    default: return nil
    }
  }
}

extension JinjaExpression {
  /// Whether the expression uses a name.
  func mentions(_ name: String) -> Bool {
    parts.contains { $0 == .name(name) || $0.mentions(name) } || self == .name(name)
  }

  /// The expressions one of which is the value: the alternatives of a choice or of `or`; for other expressions, only
  /// this one.
  var alternatives: [JinjaExpression] {
    switch self {
    case .conditional(_, let then, let otherwise): then.alternatives + (otherwise?.alternatives ?? [])
    case .binary(let left, .or, let right): left.alternatives + right.alternatives
    default: [self]
    }
  }

  /// The expressions that this expression directly contains.
  var parts: [JinjaExpression] {
    switch self {
    case .none, .bool, .integer, .number, .text, .name: []
    case .list(let elements): elements
    case .mapping(let pairs): pairs.flatMap { [$0.name, $0.value] }
    case .member(let base, let key): [base, key]
    case .range(let value, let from, let to): [value] + [from, to].compactMap { $0 }
    case .call(let base, let arguments), .filter(let base, _, let arguments): [base] + arguments.map(\.value)
    case .test(let value, _, let operands, _): [value] + operands
    case .not(let value), .negative(let value): [value]
    case .binary(let left, _, let right): [left, right]
    case .conditional(let condition, let then, let otherwise): [condition, then] + [otherwise].compactMap { $0 }
    case .collected(let value, let loop): [value, loop.list] + [loop.condition].compactMap { $0 }
    }
  }
}

/// An argument of a function or a filter.
struct JinjaArgument: Hashable {
  /// The name of a keyword argument; nil for a positional argument.
  let name: String?
  let value: JinjaExpression
}

/// A part of a template.
enum JinjaPart: Hashable {
  case text(String)
  case expression(JinjaExpression)
  /// A block `{% if %}`: the branches with their conditions; a branch `else` at the end has none.
  case choice([JinjaBranch])
  /// A block `{% for %}`.
  case loop(JinjaLoop)
}

/// A block `{% for NAME in LIST %}`, or `{% for NAME, NAME in MAPPING.items() %}`.
struct JinjaLoop: Hashable {
  /// The loop variables: one for the elements of a list, or two for the name and the value of each member of a mapping.
  let names: [String]
  /// The list or the mapping that the loop goes through.
  let list: JinjaExpression
  /// The condition that an element must meet; nil for all elements.
  let condition: JinjaExpression?
  let parts: [JinjaPart]
}

/// A branch of a block `{% if %}`.
struct JinjaBranch: Hashable {
  /// The condition of the branch; nil for `else`.
  let condition: JinjaExpression?
  let parts: [JinjaPart]
}

/// The error for a template that is invalid, or that uses a feature that flows do not have.
struct JinjaError: Error, Hashable {
  /// What is wrong.
  let message: String

  init(_ message: String) { self.message = message }
}
