extension JSONPath {
  /// The values selected, in the order RFC 9535 gives.
  ///
  /// Takes as long as the query needs: a filter inside a `..` filter goes over the document many times. Where the
  /// document comes from elsewhere, give a budget.
  public func values(in root: JSONValue) -> [JSONValue] {
    do throws(JSONPathBudgetError) {
      return try values(in: root, budget: .max)
    } catch {
      // No document is large enough to use up 2^63 steps.
      return []
    }
  }

  /// The values selected, or an error once about `budget` nodes were visited and characters matched.
  public func values(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [JSONValue] {
    if let steps = query.singularSteps { return root.value(at: steps).map { [$0] } ?? [] }
    var evaluation = JSONPathEvaluation(root: root, budget: budget)
    return try evaluation.select(query, from: root, Untraced()).map(\.value)
  }

  /// The values selected with their places, in the order RFC 9535 gives.
  public func nodes(in root: JSONValue) -> [Node] {
    do throws(JSONPathBudgetError) {
      return try nodes(in: root, budget: .max)
    } catch {
      // No document is large enough to use up 2^63 steps.
      return []
    }
  }

  /// The values selected with their places, or an error once about `budget` steps were taken.
  public func nodes(in root: JSONValue, budget: Int) throws(JSONPathBudgetError) -> [Node] {
    var evaluation = JSONPathEvaluation(root: root, budget: budget)
    return try evaluation.select(query, from: root, Traced()).map {
      Node(location: Location(steps: $0.trace.steps), value: $0.value)
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
        let place = index >= 0 ? index : elements.count + index
        guard elements.indices.contains(place) else { return nil }
        value = elements[place]
      default:
        return nil
      }
    }
    return value
  }
}

// MARK: - Traces

/// What is remembered of the way to a node.
protocol PathTrace {
  func appending(_ name: String) -> Self
  func appending(_ index: Int) -> Self
}

/// Nothing, where only values are asked for.
struct Untraced: PathTrace {
  func appending(_ name: String) -> Untraced { self }
  func appending(_ index: Int) -> Untraced { self }
}

/// All steps; nodes of one subtree share theirs.
struct Traced: PathTrace {
  private final class Link: Sendable {
    let previous: Link?
    let step: JSONPath.Step

    init(_ previous: Link?, _ step: JSONPath.Step) {
      self.previous = previous
      self.step = step
    }
  }

  private var last: Link?

  init() {}

  private init(_ last: Link) { self.last = last }

  func appending(_ name: String) -> Traced { Traced(Link(last, .name(name))) }
  func appending(_ index: Int) -> Traced { Traced(Link(last, .index(index))) }

  /// From the root on.
  var steps: [JSONPath.Step] {
    var steps: [JSONPath.Step] = []
    var link = last
    while let here = link {
      steps.append(here.step)
      link = here.previous
    }
    return steps.reversed()
  }
}
