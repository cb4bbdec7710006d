internal import SourceDiagnostics

/// Finds the type of an expression and all its errors.
struct Checker {
  private(set) var errors: [ExpressionError] = []
  private let scope: ExpressionScopeType
  let expression: Expression
  /// The range of the whole expression without the parentheses around it.
  let whole: Range<Int>
  private var locals: [ExpressionType.Member] = []
  /// Lookups that have a value because an enclosing condition checks them.
  private var present: Set<[String]> = []

  init(_ scope: ExpressionScopeType, of expression: Expression) {
    self.scope = scope
    self.expression = expression
    whole = expression.syntax.ungrouped.range
  }

  /// The errors in source order. A name with hyphens has only one error, even if its parts would cause more errors.
  var sortedErrors: [ExpressionError] {
    let names = errors.filter { $0.kind == .unknownName }.map(\.range)
    return errors.filter { error in
      !names.contains {
        $0 != error.range && $0.contains(error.range.lowerBound) && $0.upperBound >= error.range.upperBound
      }
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  mutating func report(
    _ kind: ExpressionError.Kind, _ message: String, at range: Range<Int>, suggestion: String? = nil,
    help: String? = nil
  ) {
    let error = ExpressionError(kind, message, at: range, suggestion: suggestion, help: help)
    if !errors.contains(error) { errors.append(error) }
  }

  /// Reports an error if a known type is not one of the expected types.
  ///
  /// - Parameter sentence: the beginning of the message, which names the expected types.
  mutating func demand(
    _ type: ExpressionType, _ expected: [ExpressionType], _ sentence: String, at node: SyntaxNode, help: String? = nil
  ) {
    guard type != .dynamic, !expected.contains(type) else { return }
    report(.wrongType, "\(sentence), not \(Self.article(type))", at: node.range, help: help)
  }

  // MARK: - Types

  /// The type of a required value; reports an error if the value may be missing.
  mutating func needed(_ node: SyntaxNode) -> ExpressionType {
    let type = type(of: node)
    guard case .optional = type else { return type }
    report(
      .mayBeMissing, "\(Self.words(node)) may be missing", at: node.range,
      help: "give a default: coalesce(\(Self.source(node) ?? "…"), …)")
    return type.unwrapped
  }

  /// The type of a value that may be missing.
  mutating func type(of node: SyntaxNode) -> ExpressionType {
    switch node {
    case .null: return .null
    case .bool: return .bool
    case .int: return .int
    case .double: return .double
    case .string: return .string
    case .group(let inner, _): return type(of: inner)
    case .name(let name, let range): return named(name, range)
    case .member(let target, let name, let range): return member(name, of: target, in: node, at: range)
    case .index(let target, let key, _): return indexed(target, key, in: node)
    case .call(let call): return called(call)
    case .unary(let sign, let operand, let range): return unary(sign, operand, range)
    case .binary(let sign, let left, let right, let range): return binary(sign, left, right, range)
    case .conditional(let test, let one, let other): return conditional(test, one, other)
    case .list(let elements, _): return list(elements)
    case .map(let entries, _): return map(entries)
    }
  }

  /// Finds types in `body` under the assumption that some lookups have a value.
  mutating func assuming<Value>(_ facts: Set<[String]>, _ body: (inout Checker) -> Value) -> Value {
    let before = present
    present.formUnion(facts)
    defer { present = before }
    return body(&self)
  }

  mutating func with<Value>(
    local: ExpressionType.Member, _ body: (inout Checker) -> Value
  ) -> Value {
    locals.append(local)
    let before = present
    present = present.filter { $0.first != local.name }
    defer {
      locals.removeLast()
      present = before
    }
    return body(&self)
  }

  // MARK: - Names and members

  private mutating func named(_ name: String, _ range: Range<Int>) -> ExpressionType {
    if let local = locals.last(where: { $0.name == name }) { return narrowed(local.type, [name]) }
    if let type = scope[name] { return narrowed(type, [name]) }
    if let hyphenated = expression.hyphenatedName(at: range) {
      report(.unknownName, hyphenated.message, at: hyphenated.range, help: hyphenated.help)
      return .dynamic
    }
    let names = locals.map(\.name) + scope.names.map(\.name)
    let suggestion =
      scope.path(to: name) ?? scope.foreignRoot(name) ?? NearMiss.suggestion(for: name, in: names)
    report(
      .unknownName, "'\(name)' is not known here", at: range, suggestion: suggestion,
      help: suggestion.map { "did you mean '\($0)'?" }
        ?? "write a text in quotes: '\(name)'; "
        + (scope.help
          ?? (names.isEmpty ? "no names are known here" : "known here are \(names.joined(separator: ", "))")))
    return .dynamic
  }

  /// Whether a name is already in use.
  func isKnown(_ name: String) -> Bool { locals.contains { $0.name == name } || scope[name] != nil }

  private func narrowed(_ type: ExpressionType, _ path: [String]) -> ExpressionType {
    if case .optional(let inner) = type, present.contains(path) { inner } else { type }
  }

  private mutating func member(
    _ name: String, of target: SyntaxNode, in node: SyntaxNode, at range: Range<Int>
  ) -> ExpressionType {
    let type = needed(target)
    let found = member(name, of: type, target, at: range)
    return Self.path(node).map { narrowed(found, $0) } ?? found
  }

  private mutating func member(
    _ name: String, of type: ExpressionType, _ target: SyntaxNode, at range: Range<Int>
  ) -> ExpressionType {
    switch type {
    case .dynamic: return .dynamic
    case .map(let value): return value
    case .object(let object):
      if let member = object.member(name) { return member.type }
      let names = object.members.map(\.name)
      let suggestion = NearMiss.suggestion(for: name, in: names)
      report(
        .unknownMember, "\(Self.words(target)) has no member '\(name)'", at: range, suggestion: suggestion,
        help: suggestion.map { "did you mean '\($0)'?" }
          ?? (names.isEmpty ? "it has no members" : "it has \(Self.listed(names))"))
      return .dynamic
    default:
      report(
        .wrongType, "\(Self.article(type)) has no members", at: range,
        help: FunctionTable.function(name).map { "a function is called with brackets: .\($0.name)(…)" }
          ?? (target.literalText == nil ? nil : "texts are joined with '+'"))
      return .dynamic
    }
  }

  private mutating func indexed(_ target: SyntaxNode, _ key: SyntaxNode, in node: SyntaxNode) -> ExpressionType {
    if let name = key.literalText {
      let type = needed(target)
      if case .list = type {
        report(.wrongType, "a list is indexed by an int", at: key.range)
        return .dynamic
      }
      let found = member(name, of: type, target, at: key.range)
      return Self.path(node).map { narrowed(found, $0) } ?? found
    }
    let type = needed(target)
    let keyType = needed(key)
    switch type {
    case .dynamic:
      demand(keyType, [.int, .string], "an element is selected by an int or a string", at: key)
      return .dynamic
    case .list(let element):
      demand(keyType, [.int], "a list is indexed by an int", at: key)
      return element
    case .map, .object:
      demand(keyType, [.string], "a map is indexed by a string", at: key)
      if case .map(let value) = type { return value }
      return .dynamic
    default:
      report(.wrongType, "\(Self.article(type)) has no elements", at: target.range)
      return .dynamic
    }
  }

  // MARK: - Collections

  private mutating func list(_ elements: [SyntaxNode]) -> ExpressionType {
    var joined: ExpressionType?
    for element in elements {
      let type = part(element)
      joined = joined.map { ExpressionType.join($0, type) ?? .dynamic } ?? type
    }
    return .list(joined?.mayBeMissing == true ? .dynamic : joined ?? .dynamic)
  }

  /// The type of an element of a literal list, or of a member of a literal map. The value may be null only if `null` is
  /// written as its default: `coalesce(…, null)`.
  private mutating func part(_ node: SyntaxNode) -> ExpressionType {
    if case .call(let call) = node.ungrouped, call.name == "coalesce", case .null? = call.arguments.last {
      return type(of: node)
    }
    return needed(node)
  }

  private mutating func map(_ entries: [(key: SyntaxNode, value: SyntaxNode)]) -> ExpressionType {
    var members: [ExpressionType.Member] = []
    var isKnown = true
    var joined: ExpressionType?
    for (key, value) in entries {
      let keyType = needed(key)
      demand(keyType, [.string], "a key of a map is a string", at: key)
      let type = part(value)
      joined = joined.map { ExpressionType.join($0, type) ?? .dynamic } ?? type
      guard let name = key.literalText else {
        isKnown = false
        continue
      }
      if members.contains(where: { $0.name == name }) {
        report(.repeatedKey, "the key '\(name)' occurs twice", at: key.range)
      } else {
        members.append(ExpressionType.Member(name, type == .null ? .optional(.dynamic) : type))
      }
    }
    if isKnown, !entries.isEmpty { return .object(ExpressionType.Object(members)) }
    return .map(joined?.mayBeMissing == true ? .dynamic : joined ?? .dynamic)
  }
}
