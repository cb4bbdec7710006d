internal import JSONSyntax

/// An expression made ready for evaluation: names of functions looked up, patterns compiled, look-ups in one piece.
indirect enum Step: Sendable {
  case constant(ExpressionValue)
  /// `root.a.b`, with the bytes of each part.
  case path(root: String, members: [String], ranges: [Range<Int>])
  /// The variable of a macro.
  case local(Int, Range<Int>)
  case member(Step, String, Range<Int>)
  case index(Step, Step, Range<Int>)
  case has(Step)
  case call(Call)
  case coalesce([Step], Range<Int>)
  case each(Each)
  case unary(UnaryOperator, Step, Range<Int>)
  case and(Step, Step)
  case or(Step, Step)
  case binary(BinaryOperator, Step, Step, Range<Int>)
  case conditional(Step, Step, Step)
  case list([Step], Range<Int>)
  case map([(key: Step, value: Step)], Range<Int>)
  /// What can only fail, such as a function that does not exist.
  case failure(EvaluationError)

  /// A call of a function of the table.
  struct Call: Sendable {
    var function: Function
    var arguments: [Step]
    /// A pattern that is written in the expression.
    var prepared: Prepared?
    var range: Range<Int>
  }

  /// `list.map(x, …)` and the like.
  struct Each: Sendable {
    var macro: Macro
    var list: Step
    var body: Step
    var slot: Int
    var range: Range<Int>
  }

  /// What is compiled once when it is a literal.
  enum Prepared: Sendable {
    case expression(IRegexp)
    case pattern(TimeForm)
  }

  /// All its bytes.
  var range: Range<Int> {
    switch self {
    case .constant: 0..<0
    case .path(_, _, let ranges): (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
    case .local(_, let range), .member(_, _, let range), .index(_, _, let range), .coalesce(_, let range),
      .unary(_, _, let range), .binary(_, _, _, let range), .list(_, let range), .map(_, let range):
      range
    case .has(let step): step.range
    case .call(let call): call.range
    case .each(let each): each.range
    case .and(let left, let right), .or(let left, let right):
      left.range.lowerBound..<max(left.range.lowerBound, right.range.upperBound)
    case .conditional(let condition, _, let other):
      condition.range.lowerBound..<max(condition.range.lowerBound, other.range.upperBound)
    case .failure(let error): error.range
    }
  }
}
