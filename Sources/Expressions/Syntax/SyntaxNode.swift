/// A node of an expression's syntax tree, close to the source text.
indirect enum SyntaxNode: Sendable {
  case null(Range<Int>)
  case bool(Bool, Range<Int>)
  case int(Int64, Range<Int>)
  /// A number with a decimal point or exponent, as written.
  case double(String, Range<Int>)
  case string(String, Range<Int>)
  case name(String, Range<Int>)
  /// `target.name`; the second range is the range of the name.
  case member(SyntaxNode, String, Range<Int>)
  /// `target[key]`; the range ends after the bracket.
  case index(SyntaxNode, SyntaxNode, Range<Int>)
  case call(Call)
  case unary(UnaryOperator, SyntaxNode, Range<Int>)
  case binary(BinaryOperator, SyntaxNode, SyntaxNode, sign: Range<Int>)
  case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
  case list([SyntaxNode], Range<Int>)
  case map([(key: SyntaxNode, value: SyntaxNode)], Range<Int>)
  /// An expression in parentheses; the range includes them.
  case group(SyntaxNode, Range<Int>)

  /// `name(arguments)` or `first.name(others)`.
  struct Call: Sendable {
    var name: String
    var nameRange: Range<Int>
    /// The arguments; the value before the dot is the first argument.
    var arguments: [SyntaxNode]
    var isMethod: Bool
    var range: Range<Int>
  }

  /// The byte range of the node.
  var range: Range<Int> {
    switch self {
    case .null(let range), .bool(_, let range), .int(_, let range), .double(_, let range), .string(_, let range),
      .name(_, let range), .index(_, _, let range), .unary(_, _, let range), .list(_, let range),
      .map(_, let range), .group(_, let range):
      range
    case .member(let target, _, let name): target.range.lowerBound..<name.upperBound
    case .call(let call): call.range
    case .binary(_, let left, let right, _): left.range.lowerBound..<right.range.upperBound
    case .conditional(let condition, _, let other): condition.range.lowerBound..<other.range.upperBound
    }
  }

  /// The node without the parentheses around it.
  var ungrouped: SyntaxNode { if case .group(let inner, _) = self { inner.ungrouped } else { self } }

  /// The text of a string literal.
  var literalText: String? { if case .string(let text, _) = ungrouped { text } else { nil } }
}
