/// The graph of parent flows and child flows.
///
/// It is used to order a run, to select flows and to draw them.
///
/// ```swift
/// let graph = FlowGraph(loaded.flows)
/// let order = graph.order.map { graph.ids[$0] }
/// ```
///
/// Flows are identified by their index. Parents that are not among the given flows are left out. The time of every
/// operation is linear in the number of flows and links, and no operation is recursive.
package struct FlowGraph: Sendable {
  /// The ids of the flows, in the given order.
  package let ids: [String]
  /// The indices of each flow's parents, in the order written, without duplicates.
  package let parents: [[Int]]
  /// The indices of each flow's child flows, in order.
  package let children: [[Int]]

  /// Builds the graph from ids and the ids of their parents. Of flows with the same id, the first is used.
  package init(_ flows: some Sequence<(id: String, parents: [String])>) {
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
  package init(_ flows: [FlowDeclaration]) { self.init(flows.lazy.map { ($0.id, $0.parents) }) }

  /// All flows in an order in which each flow is after its parents.
  ///
  /// Apart from that, the given order is kept. Links that close a cycle are ignored.
  package var order: [Int] {
    var order: [Int] = []
    walk {
      order.append($0)
    } onCycle: { _ in
    }
    return order
  }

  /// The cycles of the graph, as lists of flow indices.
  ///
  /// In each list, the next flow is a parent of the flow before it, and the first flow is a parent of the last. Every
  /// cycle of the graph shares a link with one of these cycles.
  package var cycles: [[Int]] {
    var cycles: [[Int]] = []
    walk({ _ in }, onCycle: { cycles.append($0) })
    return cycles
  }

  /// The chosen flows and all their direct and indirect parents.
  package func withAncestors(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: parents) }

  /// The chosen flows and all their direct and indirect child flows.
  package func withDescendants(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: children) }

  private func reach(from chosen: Set<Int>, by links: [[Int]]) -> Set<Int> {
    var reached = chosen
    var open = Array(chosen)
    while let flow = open.popLast() {
      for next in links[flow] where reached.insert(next).inserted { open.append(next) }
    }
    return reached
  }

  /// Calls `leave` for each flow after its parents, and `onCycle` for each cycle that is found.
  private func walk(_ leave: (Int) -> Void, onCycle: ([Int]) -> Void) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: ids.count)
    for start in ids.indices where marks[start] == .new {
      // The path from the start. `next` is the number of the flow's parents that were visited already.
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
  /// The graph as lines of text, with parents above their children:
  ///
  ///     shop.regions
  ///     └─> shop.customers
  ///         ├─> shop.invoices
  ///         └─> shop.orders
  ///
  /// A flow with several parents is drawn below each of them. Its child flows are drawn only the first time. At the
  /// other positions, `…` replaces them.
  ///
  /// - Parameters:
  ///   - chosen: the flows to draw.
  ///   - label: returns the text for a flow.
  package func drawing(of chosen: Set<Int>, label: (Int) -> String) -> [String] {
    var lines: [String] = []
    var drawn: Set<Int> = []
    let roots = ids.indices.filter { flow in chosen.contains(flow) && !parents[flow].contains(where: chosen.contains) }
    for root in roots {
      // Flows that are not drawn yet. The last element is drawn next.
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
