extension Checker {
  static func article(_ type: ExpressionType) -> String {
    switch type {
    case .dynamic: "a value of unknown type"
    case .null: "null"
    case .int: "an int"
    case .object: "an object"
    case .list: "a list"
    case .map: "a map"
    case .optional(let inner): "\(article(inner)) that may be missing"
    case .bool, .double, .string, .timestamp, .duration: "a \(type)"
    }
  }

  static func listed(_ names: [String]) -> String {
    names.count <= 12 ? names.joined(separator: ", ") : names.prefix(12).joined(separator: ", ") + ", …"
  }

  /// The source of a lookup in quotes, such as `'a.b'`, for a message.
  static func words(_ node: SyntaxNode) -> String { source(node).map { "'\($0)'" } ?? "the value" }

  /// The source text of a lookup; nil for other nodes.
  static func source(_ node: SyntaxNode) -> String? {
    switch node {
    case .group(let inner, _): source(inner)
    case .name(let name, _): name
    case .member(let target, let name, _): source(target).map { "\($0).\(name)" }
    case .index(let target, .string(let name, _), _): source(target).map { "\($0)['\(name)']" }
    case .index(let target, .int(let position, _), _): source(target).map { "\($0)[\(position)]" }
    default: nil
    }
  }

  /// The names of a lookup that consists of names only; nil for other nodes.
  static func path(_ node: SyntaxNode) -> [String]? {
    switch node {
    case .group(let inner, _): path(inner)
    case .name(let name, _): [name]
    case .member(let target, let name, _): path(target).map { $0 + [name] }
    case .index(let target, let key, _):
      key.literalText.flatMap { name in path(target).map { $0 + [name] } }
    default: nil
    }
  }
}
