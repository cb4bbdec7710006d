/// The parent flows and child flows of all flows: for the order of a run, for selections and for drawing.
///
/// ```swift
/// let graph = FlowGraph(loaded.flows)
/// let order = graph.order.map { graph.ids[$0] }
/// ```
///
/// Flows are identified by their index. Parents that are not among the flows are left out. All walks are linear in
/// flows and links, and none is recursive.
public struct FlowGraph: Sendable {
  /// The flows' ids, in the order given.
  public let ids: [String]
  /// For each flow the indices of its parents, each once, in the order named.
  public let parents: [[Int]]
  /// For each flow the indices of its child flows, in order.
  public let children: [[Int]]

  /// Builds the graph from ids and the ids of their parents; among equal ids the first is used.
  public init(_ flows: some Sequence<(id: String, parents: [String])>) {
    var indices: [String: Int] = [:]
    var ids: [String] = []
    var named: [[String]] = []
    for flow in flows {
      if indices[flow.id] == nil { indices[flow.id] = ids.count }
      ids.append(flow.id)
      named.append(flow.parents)
    }
    var children = [[Int]](repeating: [], count: ids.count)
    var parents: [[Int]] = []
    for (child, names) in named.enumerated() {
      var own: [Int] = []
      for parent in names.compactMap({ indices[$0] }) where !own.contains(parent) {
        own.append(parent)
        children[parent].append(child)
      }
      parents.append(own)
    }
    self.ids = ids
    self.parents = parents
    self.children = children
  }

  /// Builds the graph of declared flows.
  public init(_ flows: [FlowDeclaration]) { self.init(flows.lazy.map { ($0.id, $0.parents) }) }

  /// All flows, each after its parents, otherwise in the given order; links that close a cycle are left out.
  public var order: [Int] {
    var order: [Int] = []
    walk {
      order.append($0)
    } onCycle: { _ in
    }
    return order
  }

  /// Cycles as indices: each flow names the next as a parent, and the last one the first. Every cycle of the graph
  /// shares a link with one of them.
  public var cycles: [[Int]] {
    var cycles: [[Int]] = []
    walk({ _ in }, onCycle: { cycles.append($0) })
    return cycles
  }

  /// Some flows with all their direct and indirect parents.
  public func withAncestors(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: parents) }

  /// Some flows with all their direct and indirect child flows.
  public func withDescendants(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: children) }

  private func reach(from chosen: Set<Int>, by links: [[Int]]) -> Set<Int> {
    var reached = chosen
    var open = Array(chosen)
    while let flow = open.popLast() {
      for next in links[flow] where reached.insert(next).inserted { open.append(next) }
    }
    return reached
  }

  /// Visits all flows, parents first.
  private func walk(_ leave: (Int) -> Void, onCycle: ([Int]) -> Void) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: ids.count)
    for start in ids.indices where marks[start] == .new {
      // The path from the start, with the number of parents visited for each flow.
      var path = [(flow: start, next: 0)]
      marks[start] = .open
      while let (flow, next) = path.last {
        guard next < parents[flow].count else {
          marks[flow] = .done
          leave(flow)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let parent = parents[flow][next]
        switch marks[parent] {
        case .done: continue
        case .new:
          marks[parent] = .open
          path.append((parent, 0))
        case .open:
          let first = path.firstIndex { $0.flow == parent } ?? 0
          onCycle(path[first...].map(\.flow))
        }
      }
    }
  }
}

extension FlowGraph {
  /// The graph as lines, parents above their children:
  ///
  ///     shop.regions
  ///     └─> shop.customers
  ///         ├─> shop.invoices
  ///         └─> shop.orders
  ///
  /// A flow with several parents is drawn below each. Its child flows are drawn the first time; later `…` stands for
  /// them.
  ///
  /// - Parameters:
  ///   - chosen: the flows to draw.
  ///   - label: the text of a flow.
  public func drawing(of chosen: Set<Int>, label: (Int) -> String) -> [String] {
    var lines: [String] = []
    var drawn: Set<Int> = []
    let roots = ids.indices.filter { flow in chosen.contains(flow) && !parents[flow].contains(where: chosen.contains) }
    for root in roots {
      // Flows that are not drawn yet, the next one last.
      var open: [(flow: Int, lead: String, rest: String)] = [(root, "", "")]
      while let (flow, lead, rest) = open.popLast() {
        let below = children[flow].filter(chosen.contains)
        let isNew = drawn.insert(flow).inserted
        lines.append(lead + label(flow) + (isNew || below.isEmpty ? "" : " …"))
        guard isNew else { continue }
        for (number, child) in below.enumerated().reversed() {
          let isLast = number == below.count - 1
          open.append((child, rest + (isLast ? "└─> " : "├─> "), rest + (isLast ? "    " : "│   ")))
        }
      }
    }
    return lines
  }
}
