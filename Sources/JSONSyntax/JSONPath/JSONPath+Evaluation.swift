extension JSONPath {
  /// The values selected, in the order RFC 9535 gives.
  ///
  /// Takes as long as the query needs: a filter inside a `..` filter goes over the document many times. Where the
  /// document comes from elsewhere, give a budget.
  public func values(in root: JSONValue) -> [JSONValue] {
    // No document is large enough to use up 2^63 steps.
    (try? values(in: root, budget: .max)) ?? []
  }

  /// The values selected, or an error once about `budget` nodes were visited and characters matched.
  public func values(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [JSONValue] {
    if let steps = query.singularSteps { return root.value(at: steps).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, budget: budget)
    return try evaluation.select(query, from: root).map(\.value)
  }

  /// The values selected with their locations, in the order RFC 9535 gives.
  public func nodes(in root: JSONValue) -> [Node] { (try? nodes(in: root, budget: .max)) ?? [] }

  /// The values selected with their locations, or an error once about `budget` steps were taken.
  public func nodes(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [Node] {
    var evaluation = JSONPathEvaluation(root: root, budget: budget, isTraced: true)
    return try evaluation.select(query, from: root).map {
      Node(location: Location(steps: $0.trace?.steps ?? []), value: $0.value)
    }
  }
}

extension JSONValue {
  /// The value at the end of these steps, nil where one leads nowhere.
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

/// The last step to a node; nodes of one subtree share the steps before it.
final class PathTrace: Sendable {
  private let previous: PathTrace?
  private let step: JSONPath.Step

  init(_ previous: PathTrace?, _ step: JSONPath.Step) {
    self.previous = previous
    self.step = step
  }

  /// All steps from the root on.
  var steps: [JSONPath.Step] {
    sequence(first: self, next: { $0.previous }).map(\.step).reversed()
  }
}
