public import JSONSyntax

/// The location of the records in a response.
public enum RecordSelection: Sendable, Hashable {
  /// The value at a path that names one value. The elements of an array are the records. Null means no records. Any
  /// other value is one record. An empty path means the whole response.
  case at([JSONPath.Step])
  /// The elements of the array, or the member values of the object, at a path.
  case elements([JSONPath.Step])
  /// The elements of the array at a path; any other value is an error.
  case array([JSONPath.Step])
  /// The values that a query selects; the response is held in memory.
  case query(JSONPath)
  /// A sequence of JSON texts, for example JSON Lines.
  case lines

  /// Creates the selection for a `records:` path; nil selects the whole response.
  public init(_ path: JSONPath?) {
    guard let path else {
      self = .at([])
      return
    }
    func countsFromEnd(_ steps: [JSONPath.Step]) -> Bool {
      steps.contains { if case .index(let index) = $0 { index < 0 } else { false } }
    }
    if let steps = path.singularSteps, !countsFromEnd(steps) {
      self = .at(steps)
    } else if let steps = path.elementSteps, !countsFromEnd(steps) {
      self = .elements(steps)
    } else {
      self = .query(path)
    }
  }

  /// Whether records can be read while the response arrives.
  public var streams: Bool { if case .query = self { false } else { true } }

  package var isElements: Bool { if case .elements = self { true } else { false } }

  package var steps: [JSONPath.Step] {
    switch self {
    case .at(let steps), .elements(let steps), .array(let steps): steps
    case .query, .lines: []
    }
  }
}
