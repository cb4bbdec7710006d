extension JSONPath {
  /// The default maximum number of steps that a query may take in a document; they take some seconds.
  ///
  /// A limit is necessary because a filter inside a filter can visit the whole document once for each node.
  public static let standardBudget = 20_000_000

  /// The selected values, in the order of RFC 9535; throws when the visited nodes and matched characters together
  /// exceed about `budget`.
  public func values(
    in root: JSONValue, budget: Int = standardBudget
  ) throws(JSONPathBudgetError) -> [JSONValue] {
    if let steps = query.singularSteps { return root.value(at: steps).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, budget: budget)
    return try evaluation.select(query, from: root).map(\.value)
  }

  /// Whether the query selects nothing because a list is empty, is null, or has no element that a filter selects.
  ///
  /// False if the query selects a value, or if a member is missing, for example because its name is misspelt.
  public func selectsFromEmptyList(in root: JSONValue) throws(JSONPathBudgetError) -> Bool {
    var evaluation = JSONPathEvaluation(root: root, budget: Self.standardBudget)
    return try evaluation.endsInEmptyList(query)
  }

  /// The selected values with their locations; throws when about `budget` steps were taken.
  public func nodes(in root: JSONValue, budget: Int = standardBudget) throws(JSONPathBudgetError) -> [Node] {
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

/// The last step of the path to a node, linked to the steps before it. The nodes of one subtree share these steps.
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
