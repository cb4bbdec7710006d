/// The longer of the functions on lists.
enum ListWork {
  /// The value that is least (-1) or greatest (1); the first of equal ones.
  static func extreme(
    _ arguments: Arguments, _ sign: Int, _ evaluation: inout Evaluation
  ) throws(EvaluationError) -> ExpressionValue {
    let candidates = arguments.count == 1 ? arguments[0] : .list(arguments.values)
    guard candidates.isList else { throw arguments.wrongType(0, "a list, or several values") }
    guard var best = candidates.element(0) else { throw EvaluationError(.missing, "the list is empty") }
    // Alone it is compared with nothing, but must be of a kind that could be.
    _ = try evaluation.compare(best, best)
    for place in 1..<max(candidates.count, 1) {
      try evaluation.spend(steps: 1)
      guard let element = candidates.element(place) else { continue }
      if try evaluation.compare(element, best) == sign { best = element }
    }
    return best
  }
}
