internal import FlowTerms

extension CursorPlan {
  /// The narrowest range that surely holds the records with a value: one step wider where the server leaves out an end.
  ///
  /// - Parameter asked: the range in which a record with the value came, for ends that have no step
  func range(holding value: CursorValue, within asked: CursorRange) -> CursorRange {
    let start = bounds.includesStart ? value : step(from: value, backwards: true) ?? asked.start
    guard end != nil else { return CursorRange(start: start, end: nil) }
    return CursorRange(start: start, end: bounds.includesEnd ? value : step(from: value) ?? asked.end)
  }

  /// A value that surely lies beyond another one; nil for texts, and beyond what can be said.
  private func step(from value: CursorValue, backwards: Bool = false) -> CursorValue? {
    switch kind {
    case .integer: value.moved(by: .count(1), backwards: backwards)
    case .date: value.moved(by: .seconds(86_400), backwards: backwards)
    case .timestamp: value.moved(by: .seconds(1), backwards: backwards)
    case .string: nil
    }
  }
}
