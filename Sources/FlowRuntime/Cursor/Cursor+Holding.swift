internal import FlowModel

extension Cursor {
  /// The smallest range that certainly contains all records with a value.
  ///
  /// Where the server excludes one end of a range, that end is moved outwards by one step.
  ///
  /// - Parameter asked: the requested range that returned a record with the value; used for types without a step
  func range(holding value: Value, within asked: CursorRange) -> CursorRange {
    let start = bounds.includesStart ? value : step(from: value, backwards: true) ?? asked.start
    guard end != nil else { return CursorRange(start: start, end: nil) }
    return CursorRange(start: start, end: bounds.includesEnd ? value : step(from: value) ?? asked.end)
  }

  /// The nearest value that is certainly greater, or smaller if `backwards`; nil for texts and when it cannot be
  /// represented.
  private func step(from value: Value, backwards: Bool = false) -> Value? {
    switch kind {
    case .integer: value.moved(by: .count(1), backwards: backwards)
    case .date: value.moved(by: .seconds(86_400), backwards: backwards)
    case .timestamp: value.moved(by: .seconds(1), backwards: backwards)
    case .string, .token: nil
    }
  }
}
