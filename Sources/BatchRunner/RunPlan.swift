public import ReactorCore

/// The plan of a run: its flows in the order of the reports, and its limits.
public struct RunPlan: Sendable {
  /// The flows in the given order, except that each flow comes after its parents.
  ///
  /// Every report has this order, whichever flow ends first.
  public let flows: [RunnableFlow]
  /// The limits of the run.
  public let limits: RunLimits
  /// Tells the flows when the run ends.
  public let end: RunEnd
  /// Gives flows to this process; nil when it runs all of them.
  public let claims: (any FlowClaims)?
  /// For each flow the indices of its parents; all parents come before the flow.
  let parents: [[Int]]
  /// For each flow the names of its parents that are not in the plan.
  let missing: [[String]]

  /// Plans a run.
  ///
  /// Every loader rejects cycles of parents. If there is one anyway, one of its flows does not wait for its parents.
  public init(
    _ flows: [RunnableFlow], limits: RunLimits = RunLimits(), end: RunEnd = RunEnd(), claims: (any FlowClaims)? = nil
  ) {
    self.limits = limits
    self.end = end
    self.claims = claims
    guard flows.contains(where: { !$0.after.isEmpty }) else {
      self.flows = flows
      parents = [[Int]](repeating: [], count: flows.count)
      missing = [[String]](repeating: [], count: flows.count)
      return
    }
    var given: [String: Int] = [:]
    for (index, flow) in flows.enumerated() where given[flow.id] == nil { given[flow.id] = index }
    let links = flows.map { flow in flow.after.compactMap { given[$0] } }
    let order = Self.order(links)
    var indices = [Int](repeating: 0, count: flows.count)
    for (index, flow) in order.enumerated() { indices[flow] = index }
    self.flows = order.map { flows[$0] }
    parents = order.map { flow in
      var seen: Set<Int> = []
      return links[flow].map { indices[$0] }.filter { $0 < indices[flow] && seen.insert($0).inserted }
    }
    missing = order.map { flow in flows[flow].after.filter { given[$0] == nil } }
  }

  /// Returns the indices of the flows, each after its parents, otherwise in order.
  ///
  /// The function is not recursive, because chains of parents may be long.
  private static func order(_ parents: [[Int]]) -> [Int] {
    var order: [Int] = []
    var isVisited = [Bool](repeating: false, count: parents.count)
    for start in parents.indices where !isVisited[start] {
      var path = [(flow: start, next: 0)]
      isVisited[start] = true
      while let (flow, next) = path.last {
        guard next < parents[flow].count else {
          order.append(flow)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let parent = parents[flow][next]
        if !isVisited[parent] {
          isVisited[parent] = true
          path.append((parent, 0))
        }
      }
    }
    return order
  }
}
