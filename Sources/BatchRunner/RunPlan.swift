/// What a run does: flows in the order in which they are reported, within limits.
public struct RunPlan: Sendable {
  /// The flows, each behind those whose records it takes and otherwise in the order given; every report keeps this order,
  /// whatever ends first.
  public let flows: [RunnableFlow]
  /// How much goes on at once.
  public let limits: RunLimits
  /// For each flow the places of those whose records it takes; all of them come before it.
  let parents: [[Int]]
  /// For each flow those whose records it would take, and that are not part of the plan.
  let missing: [[String]]

  /// Plans a run. Of flows that wait for each other in a circle, which no loader lets pass, one does not wait.
  public init(_ flows: [RunnableFlow], limits: RunLimits = RunLimits()) {
    self.limits = limits
    guard flows.contains(where: { !$0.after.isEmpty }) else {
      self.flows = flows
      parents = [[Int]](repeating: [], count: flows.count)
      missing = [[String]](repeating: [], count: flows.count)
      return
    }
    var given: [String: Int] = [:]
    for (place, flow) in flows.enumerated() where given[flow.id] == nil { given[flow.id] = place }
    let links = flows.map { flow in flow.after.compactMap { given[$0] } }
    let order = Self.order(links)
    var places = [Int](repeating: 0, count: flows.count)
    for (place, flow) in order.enumerated() { places[flow] = place }
    self.flows = order.map { flows[$0] }
    parents = order.map { flow in
      var seen: Set<Int> = []
      return links[flow].map { places[$0] }.filter { $0 < places[flow] && seen.insert($0).inserted }
    }
    missing = order.map { flow in flows[flow].after.filter { given[$0] == nil } }
  }

  /// Flows behind their parents, otherwise in order. Goes no deeper than the memory for a list: chains may be long.
  private static func order(_ parents: [[Int]]) -> [Int] {
    var order: [Int] = []
    var isMet = [Bool](repeating: false, count: parents.count)
    for start in parents.indices where !isMet[start] {
      var way = [(flow: start, next: 0)]
      isMet[start] = true
      while let (flow, next) = way.last {
        guard next < parents[flow].count else {
          order.append(flow)
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let parent = parents[flow][next]
        if !isMet[parent] {
          isMet[parent] = true
          way.append((parent, 0))
        }
      }
    }
    return order
  }
}
