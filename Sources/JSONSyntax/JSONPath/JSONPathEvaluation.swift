/// One run of a query over one document, within a budget of steps.
struct JSONPathEvaluation {
  /// A node on the way.
  struct Found<Trace: PathTrace> {
    let value: JSONValue
    let trace: Trace
  }

  let root: JSONValue
  let budget: Int
  /// What is left of the budget; never below zero but for the moment before the error.
  var left: Int
  /// The last pattern that came from the document, with its automaton; nil inside when it is no I-Regexp.
  var lastPattern: (text: String, compiled: IRegexp?)?

  init(root: JSONValue, budget: Int) {
    self.root = root
    self.budget = budget
    self.left = budget
  }

  mutating func charge(_ steps: Int) throws(JSONPathBudgetError) {
    left -= steps
    guard left >= 0 else { throw JSONPathBudgetError(budget: budget) }
  }

  /// The nodes that a query selects from a node, segment by segment.
  mutating func select<Trace: PathTrace>(
    _ query: JSONPath.Query, from value: JSONValue, _ trace: Trace
  ) throws(JSONPathBudgetError) -> [Found<Trace>] {
    var nodes = [Found(value: value, trace: trace)]
    for segment in query.segments {
      var selected: [Found<Trace>] = []
      for node in nodes {
        if segment.reachesDescendants {
          try selectFromDescendants(of: node, segment.selectors, into: &selected)
        } else {
          for selector in segment.selectors { try select(selector, from: node, into: &selected) }
        }
      }
      nodes = selected
      if nodes.isEmpty { break }
    }
    return nodes
  }

  /// Applies selectors to a node and all its descendants, parents first, without recursion.
  private mutating func selectFromDescendants<Trace: PathTrace>(
    of node: Found<Trace>, _ selectors: [JSONPath.Selector], into selected: inout [Found<Trace>]
  ) throws(JSONPathBudgetError) {
    var pending = [node]
    while let next = pending.popLast() {
      for selector in selectors { try select(selector, from: next, into: &selected) }
      switch next.value {
      case .array(let elements):
        try charge(elements.count)
        for index in elements.indices.reversed() where elements[index].isContainer {
          pending.append(Found(value: elements[index], trace: next.trace.appending(index)))
        }
      case .object(let object):
        try charge(object.members.count)
        for member in object.members.reversed() where member.value.isContainer {
          pending.append(Found(value: member.value, trace: next.trace.appending(member.name)))
        }
      default: break
      }
    }
  }

  private mutating func select<Trace: PathTrace>(
    _ selector: JSONPath.Selector, from node: Found<Trace>, into selected: inout [Found<Trace>]
  ) throws(JSONPathBudgetError) {
    switch (selector, node.value) {
    case (.name(let name), .object(let object)):
      // Looking through a wide object is work too, if less than visiting its members.
      try charge(1 + object.members.count / 8)
      guard let value = object[name] else { return }
      selected.append(Found(value: value, trace: node.trace.appending(name)))
    case (.index(let index), .array(let elements)):
      try charge(1)
      let place = index >= 0 ? index : elements.count + index
      guard elements.indices.contains(place) else { return }
      selected.append(Found(value: elements[place], trace: node.trace.appending(place)))
    case (.slice(let slice), .array(let elements)):
      for index in slice.indices(count: elements.count) {
        try charge(1)
        selected.append(Found(value: elements[index], trace: node.trace.appending(index)))
      }
    case (.wildcard, .array(let elements)):
      try charge(elements.count)
      for (index, element) in elements.enumerated() {
        selected.append(Found(value: element, trace: node.trace.appending(index)))
      }
    case (.wildcard, .object(let object)):
      try charge(object.members.count)
      for member in object.members {
        selected.append(Found(value: member.value, trace: node.trace.appending(member.name)))
      }
    case (.filter(let condition), .array(let elements)):
      for (index, element) in elements.enumerated() {
        try charge(1)
        guard try holds(condition, for: element) else { continue }
        selected.append(Found(value: element, trace: node.trace.appending(index)))
      }
    case (.filter(let condition), .object(let object)):
      for member in object.members {
        try charge(1)
        guard try holds(condition, for: member.value) else { continue }
        selected.append(Found(value: member.value, trace: node.trace.appending(member.name)))
      }
    default:
      // A selector that does not fit the kind of value selects nothing.
      return
    }
  }
}

extension JSONValue {
  /// An array or an object: only these have descendants.
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
