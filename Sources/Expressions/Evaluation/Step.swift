internal import JSONSyntax

/// An expression prepared for evaluation: functions resolved, patterns compiled, each lookup in one step.
indirect enum Step: Sendable {
  case constant(ExpressionValue)
  /// A lookup `root.a.b`, with the byte range of each part.
  case path(root: String, members: [String], ranges: [Range<Int>])
  /// The variable of a macro, by its slot in the list of local values.
  case local(Int, Range<Int>)
  case member(Step, String, Range<Int>)
  case index(Step, Step, Range<Int>)
  case has(Step)
  case call(Call)
  case coalesce([Step], Range<Int>)
  /// `optional(…)`: null instead of a missing or empty value.
  case optional(Step, Range<Int>)
  case each(Each)
  case unary(UnaryOperator, Step, Range<Int>)
  case and(Step, Step)
  case or(Step, Step)
  case binary(BinaryOperator, Step, Step, Range<Int>)
  case conditional(Step, Step, Step)
  case list([Step], Range<Int>)
  case map([(key: Step, value: Step)], Range<Int>)
  /// A step that always fails, such as a call of an unknown function.
  case failure(EvaluationError)

  /// A call of a function from the function table.
  struct Call: Sendable {
    var function: Function
    var arguments: [Step]
    /// The compiled argument, if it is a literal.
    var prepared: Prepared?
    var range: Range<Int>
  }

  /// `list.map(x, …)` or another macro.
  struct Each: Sendable {
    var macro: Macro
    var list: Step
    var body: Step
    var slot: Int
    var range: Range<Int>
  }

  /// A literal argument in its compiled form.
  enum Prepared: Sendable {
    case expression(IRegexp)
    case pattern(TimeForm)
  }

  /// The byte range of the step.
  var range: Range<Int> {
    switch self {
    case .constant: 0..<0
    case .path(_, _, let ranges): (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
    case .local(_, let range), .member(_, _, let range), .index(_, _, let range), .coalesce(_, let range),
      .optional(_, let range),
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
