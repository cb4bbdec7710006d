extension JSONPath {
  /// The selected values, in the order of RFC 9535.
  ///
  /// The time is not limited: a filter inside a `..` filter visits the document many times. Use a budget for a document
  /// from an untrusted source.
  public func values(in root: JSONValue) -> [JSONValue] {
    // No document is large enough to use up 2^63 steps.
    (try? values(in: root, budget: .max)) ?? []
  }

  /// The selected values; throws when about `budget` nodes were visited and characters were matched.
  public func values(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [JSONValue] {
    if let steps = query.singularSteps { return root.value(at: steps).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, budget: budget)
    return try evaluation.select(query, from: root).map(\.value)
  }

  /// Whether the query selects nothing because a list is empty, null, or without an element that a filter takes.
  ///
  /// Otherwise it selects nothing because a member is missing, as when a name is misspelt.
  public func selectsFromEmptyList(in root: JSONValue) -> Bool {
    var evaluation = JSONPathEvaluation(root: root, budget: .max)
    return (try? evaluation.endsInEmptyList(query)) ?? false
  }

  /// The selected values with their locations, in the order of RFC 9535.
  public func nodes(in root: JSONValue) -> [Node] { (try? nodes(in: root, budget: .max)) ?? [] }

  /// The selected values with their locations; throws when about `budget` steps were taken.
  public func nodes(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [Node] {
    var evaluation = JSONPathEvaluation(root: root, budget: budget, isTraced: true)
    return try evaluation.select(query, from: root).map {
      Node(location: Location(steps: $0.trace?.steps ?? []), value: $0.value)
    }
  }
}

extension JSONValue {
  /// The value at the end of these steps; nil when a step does not exist.
  public func value(at steps: [JSONPath.Step]) -> JSONValue? {
    var value = self
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let object)):
        guard let member = object[name] else { return nil }
        value = member
      case (.index(let index), .array(let elements)):
        let position = index >= 0 ? index : elements.count + index
        guard elements.indices.contains(position) else { return nil }
        value = elements[position]
      default:
        return nil
      }
    }
    return value
  }
}

/// The last step to a node; the nodes of one subtree share the steps before it.
final class PathTrace: Sendable {
  private let previous: PathTrace?
  private let step: JSONPath.Step

  init(_ previous: PathTrace?, _ step: JSONPath.Step) {
    self.previous = previous
    self.step = step
  }

  /// All steps from the root.
  var steps: [JSONPath.Step] {
    sequence(first: self, next: { $0.previous }).map(\.step).reversed()
  }
}
