/// Which flow takes its records from which others: for the order of a run, for what a selection brings along, and for
/// drawing.
///
/// ```swift
/// let graph = FlowGraph(loaded.flows)
/// let order = graph.order.map { graph.ids[$0] }
/// ```
///
/// Flows are named by their place, from 0. Parents that are not among the flows are left out. All walks cost the number
/// of flows and links, and none of them recurses.
public struct FlowGraph: Sendable {
  /// The flows' ids, in the order given.
  public let ids: [String]
  /// For each flow the places of its parents, each once, in the order named.
  public let parents: [[Int]]
  /// For each flow the places of those that name it, in order.
  public let children: [[Int]]

  /// Joins ids with the ids of their parents; of equal ids the first counts.
  public init(_ flows: some Sequence<(id: String, parents: [String])>) {
    var places: [String: Int] = [:]
    var ids: [String] = []
    var named: [[String]] = []
    for flow in flows {
      if places[flow.id] == nil { places[flow.id] = ids.count }
      ids.append(flow.id)
      named.append(flow.parents)
    }
    var children = [[Int]](repeating: [], count: ids.count)
    var parents: [[Int]] = []
    for (child, names) in named.enumerated() {
      var own: [Int] = []
      for parent in names.compactMap({ places[$0] }) where !own.contains(parent) {
        own.append(parent)
        children[parent].append(child)
      }
      parents.append(own)
    }
    self.ids = ids
    self.parents = parents
    self.children = children
  }

  /// Joins declared flows.
  public init(_ flows: [FlowDeclaration]) { self.init(flows.lazy.map { ($0.id, $0.parents) }) }

  /// All flows, each behind its parents and otherwise in the order given; the link that would close a circle is left out.
  public var order: [Int] {
    var order: [Int] = []
    walk {
      order.append($0)
    } onCircle: { _ in
    }
    return order
  }

  /// The circles met on the way through all flows: each as places in which every flow names the next as a parent, and the
  /// last one the first. Every circle holds a link of one of them.
  public var circles: [[Int]] {
    var circles: [[Int]] = []
    walk({ _ in }, onCircle: { circles.append($0) })
    return circles
  }

  /// Some flows and all that these take records from, directly or not.
  public func withAncestors(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: parents) }

  /// Some flows and all that take records from them, directly or not.
  public func withDescendants(_ chosen: Set<Int>) -> Set<Int> { reach(from: chosen, by: children) }

  private func reach(from chosen: Set<Int>, by links: [[Int]]) -> Set<Int> {
    var reached = chosen
    var open = Array(chosen)
    while let flow = open.popLast() {
      for next in links[flow] where reached.insert(next).inserted { open.append(next) }
    }
    return reached
  }

  /// Goes through all flows, parents first.
  private func walk(_ leave: (Int) -> Void, onCircle: ([Int]) -> Void) {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: ids.count)
    for start in ids.indices where marks[start] == .new {
      // The way from the start, with how many parents of each were looked at.
      var way = [(flow: start, next: 0)]
      marks[start] = .open
      while let (flow, next) = way.last {
        guard next < parents[flow].count else {
          marks[flow] = .done
          leave(flow)
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let parent = parents[flow][next]
        switch marks[parent] {
        case .done: continue
        case .new:
          marks[parent] = .open
          way.append((parent, 0))
        case .open:
          let first = way.firstIndex { $0.flow == parent } ?? 0
          onCircle(way[first...].map(\.flow))
        }
      }
    }
  }
}
