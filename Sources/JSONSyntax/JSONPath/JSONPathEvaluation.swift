/// One run of a query over one document, within a budget of steps.
struct JSONPathEvaluation {
  /// A node found during the evaluation.
  struct Found {
    let value: JSONValue
    /// The steps to the node; nil for the start node, and if locations are not requested.
    var trace: PathTrace?
  }

  let root: JSONValue
  let budget: Int
  /// Whether to record the steps to each node.
  let isTraced: Bool
  /// The remaining budget; negative only just before the error is thrown.
  var left: Int
  /// The last pattern that was read from the document, and its compiled form.
  ///
  /// The compiled form is nil if the text is not an I-Regexp.
  var lastPattern: (text: String, compiled: IRegexp?)?

  init(root: JSONValue, budget: Int, isTraced: Bool = false) {
    self.root = root
    self.budget = budget
    self.isTraced = isTraced
    self.left = budget
  }

  private func child(of node: Found, _ value: JSONValue, _ step: JSONPath.Step) -> Found {
    Found(value: value, trace: isTraced ? PathTrace(node.trace, step) : nil)
  }

  mutating func charge(_ steps: Int) throws(JSONPathBudgetError) {
    left -= steps
    guard left >= 0 else { throw JSONPathBudgetError(budget: budget) }
  }

  /// The nodes that a query selects from a node, segment by segment.
  mutating func select(
    _ query: JSONPath.Query, from value: JSONValue
  ) throws(JSONPathBudgetError) -> [Found] {
    var nodes = [Found(value: value)]
    for segment in query.segments {
      nodes = try select(segment, from: nodes)
      if nodes.isEmpty { break }
    }
    return nodes
  }

  private mutating func select(
    _ segment: JSONPath.Segment, from nodes: [Found]
  ) throws(JSONPathBudgetError) -> [Found] {
    var selected: [Found] = []
    for node in nodes {
      if segment.reachesDescendants {
        try selectFromDescendants(of: node, segment.selectors, into: &selected)
      } else {
        for selector in segment.selectors { try select(selector, from: node, into: &selected) }
      }
    }
    return selected
  }

  /// Whether the first segment that selects nothing has only wildcards, slices or filters, and is applied to an array,
  /// an object or null. False if every segment selects something.
  mutating func endsInEmptyList(_ query: JSONPath.Query) throws(JSONPathBudgetError) -> Bool {
    var nodes = [Found(value: root)]
    for segment in query.segments {
      let selected = try select(segment, from: nodes)
      guard selected.isEmpty else {
        nodes = selected
        continue
      }
      return segment.takesElements && nodes.contains { $0.value.isContainer || $0.value == .null }
    }
    return false
  }

  /// Applies selectors to a node and all its descendants, parents first, without recursion.
  private mutating func selectFromDescendants(
    of node: Found, _ selectors: [JSONPath.Selector], into selected: inout [Found]
  ) throws(JSONPathBudgetError) {
    var pending = [node]
    while let next = pending.popLast() {
      for selector in selectors { try select(selector, from: next, into: &selected) }
      switch next.value {
      case .array(let elements):
        try charge(elements.count)
        for index in elements.indices.reversed() where elements[index].isContainer {
          pending.append(child(of: next, elements[index], .index(index)))
        }
      case .object(let object):
        try charge(object.members.count)
        for member in object.members.reversed() where member.value.isContainer {
          pending.append(child(of: next, member.value, .name(member.name)))
        }
      default: break
      }
    }
  }

  private mutating func select(
    _ selector: JSONPath.Selector, from node: Found, into selected: inout [Found]
  ) throws(JSONPathBudgetError) {
    switch (selector, node.value) {
    case (.name(let name), .object(let object)):
      // The search for a name in a large object also costs steps, but fewer than visiting all its members.
      try charge(1 + object.members.count / 8)
      guard let value = object[name] else { return }
      selected.append(child(of: node, value, .name(name)))
    case (.index(let index), .array(let elements)):
      try charge(1)
      let position = index >= 0 ? index : elements.count + index
      guard elements.indices.contains(position) else { return }
      selected.append(child(of: node, elements[position], .index(position)))
    case (.slice(let slice), .array(let elements)):
      for index in slice.indices(count: elements.count) {
        try charge(1)
        selected.append(child(of: node, elements[index], .index(index)))
      }
    case (.wildcard, .array(let elements)):
      try charge(elements.count)
      for (index, element) in elements.enumerated() {
        selected.append(child(of: node, element, .index(index)))
      }
    case (.wildcard, .object(let object)):
      try charge(object.members.count)
      for member in object.members {
        selected.append(child(of: node, member.value, .name(member.name)))
      }
    case (.filter(let condition), .array(let elements)):
      for (index, element) in elements.enumerated() {
        try charge(1)
        guard try holds(condition, for: element) else { continue }
        selected.append(child(of: node, element, .index(index)))
      }
    case (.filter(let condition), .object(let object)):
      for member in object.members {
        try charge(1)
        guard try holds(condition, for: member.value) else { continue }
        selected.append(child(of: node, member.value, .name(member.name)))
      }
    default:
      // A selector for another kind of value selects nothing.
      return
    }
  }
}
