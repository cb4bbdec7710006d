/// Flows that one process runs together, because records pass from one to the other within a process.
package struct RunUnit: Sendable, Hashable {
  /// The number of the unit in its run, from 0.
  package let number: Int
  /// The ids of the flows, each after its parents.
  package let flows: [String]

  /// Divides flows into units: a flow is in the unit of its parents.
  ///
  /// - Parameter flows: the ids of the flows with the ids of their parents, each after its parents
  package static func units(of flows: [(id: String, parents: [String])]) -> [RunUnit] {
    var root = Array(flows.indices)
    func top(_ index: Int) -> Int {
      var index = index
      while root[index] != index {
        root[index] = root[root[index]]
        index = root[index]
      }
      return index
    }
    let indices = Dictionary(flows.indices.map { (flows[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, flow) in flows.enumerated() {
      for parent in flow.parents.compactMap({ indices[$0] }) {
        let (one, other) = (top(index), top(parent))
        root[max(one, other)] = min(one, other)
      }
    }
    var members: [Int: [String]] = [:]
    var order: [Int] = []
    for index in flows.indices {
      let first = top(index)
      if members[first] == nil { order.append(first) }
      members[first, default: []].append(flows[index].id)
    }
    return order.enumerated().map { RunUnit(number: $0, flows: members[$1] ?? []) }
  }
}
