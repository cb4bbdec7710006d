extension SyntaxNode {
  /// Whether the value may be computed from a secret.
  ///
  /// A secret that only decides which value is chosen does not count.
  var isMadeOfSecrets: Bool {
    switch self {
    case .null, .bool, .int, .double, .string: false
    case .name(let name, _): name == "secrets"
    case .member(let target, _, _), .index(let target, _, _), .unary(_, let target, _), .group(let target, _):
      target.isMadeOfSecrets
    case .call(let call): call.arguments.contains { $0.isMadeOfSecrets }
    case .binary(_, let left, let right, _): left.isMadeOfSecrets || right.isMadeOfSecrets
    case .conditional(_, let value, let other): value.isMadeOfSecrets || other.isMadeOfSecrets
    case .list(let elements, _): elements.contains { $0.isMadeOfSecrets }
    case .map(let members, _): members.contains { $0.key.isMadeOfSecrets || $0.value.isMadeOfSecrets }
    }
  }
}
