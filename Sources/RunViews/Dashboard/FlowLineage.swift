/// Which flow takes the records of which others, in parts that a page can show.
struct FlowLineage: Sendable {
  /// The maximum number of flows in one drawing, and on one page.
  static let most = 150

  /// The flows that are linked to another one.
  let ids: [String]
  /// The positions of the flows whose records a flow takes, and of those that take its records.
  let parents: [[Int]]
  let children: [[Int]]
  /// The drawings of each page: flows in an order in which each is after its parents.
  let pages: [[[Int]]]
  /// The position of each flow.
  private let positions: [String: Int]

  /// Creates a lineage.
  ///
  /// - Parameter links: flows with their parents; parents that are not declared are left out
  init(_ links: [(id: String, parents: [String])]) {
    let declared = Set(links.map(\.id))
    var edges: [(parent: String, child: String)] = []
    for link in links { for parent in link.parents where declared.contains(parent) { edges.append((parent, link.id)) } }
    var positions: [String: Int] = [:]
    let linked = Set(edges.flatMap { [$0.parent, $0.child] })
    let ids = linked.sorted()
    for (position, id) in ids.enumerated() { positions[id] = position }
    var parents = [[Int]](repeating: [], count: ids.count)
    var children = parents
    for edge in edges {
      guard let parent = positions[edge.parent], let child = positions[edge.child],
        parent != child, !parents[child].contains(parent)
      else { continue }
      parents[child].append(parent)
      children[parent].append(child)
    }
    pages = Self.pages(Self.groups(parents, children))
    (self.ids, self.parents, self.children, self.positions) = (ids, parents, children, positions)
  }

  /// The name of a page, counted from 0.
  static func page(_ number: Int) -> String { "lineage-\(number + 1).html" }

  /// The position of a flow; nil when it is linked to no other.
  func position(of id: String) -> Int? { positions[id] }

  /// The number of flows in the drawing of one flow's page.
  private static let near = 24

  /// A flow with those from which it has records, and those that have records from it, the nearest first, as far as a
  /// small drawing goes.
  func neighbours(of flow: Int) -> [Int] {
    var found: Set<Int> = [flow]
    // Parents must not take the room of children.
    for (links, most) in [(parents, Self.near / 2), (children, Self.near)] {
      var open = [flow]
      var next = 0
      while next < open.count {
        for other in links[open[next]] where found.count < most && found.insert(other).inserted { open.append(other) }
        next += 1
      }
    }
    return Self.ordered(found, parents, children)
  }

  // MARK: - Order

  /// Groups of flows without a link between them, each in order.
  private static func groups(_ parents: [[Int]], _ children: [[Int]]) -> [[Int]] {
    var seen = [Bool](repeating: false, count: parents.count)
    var groups: [[Int]] = []
    for start in parents.indices where !seen[start] {
      seen[start] = true
      var (group, open): (Set<Int>, [Int]) = ([start], [start])
      while let next = open.popLast() {
        for other in parents[next] + children[next] where !seen[other] {
          seen[other] = true
          group.insert(other)
          open.append(other)
        }
      }
      groups.append(ordered(group, parents, children))
    }
    return groups
  }

  /// Flows in an order in which each is after its parents. Flows of a cycle, which no run accepts, are last.
  private static func ordered(_ group: Set<Int>, _ parents: [[Int]], _ children: [[Int]]) -> [Int] {
    var missing: [Int: Int] = [:]
    for flow in group { missing[flow] = parents[flow].count { group.contains($0) } }
    var order: [Int] = []
    var ready = group.filter { missing[$0] == 0 }.sorted()
    while !ready.isEmpty {
      order += ready
      var next: [Int] = []
      for flow in ready {
        for child in children[flow] {
          guard let count = missing[child] else { continue }
          missing[child] = count - 1
          if count == 1 { next.append(child) }
        }
      }
      ready = next
    }
    return order + group.subtracting(order).sorted()
  }

  private static func pages(_ groups: [[Int]]) -> [[[Int]]] {
    var pages: [[[Int]]] = []
    var room = 0
    for group in groups {
      for start in stride(from: 0, to: group.count, by: most) {
        let part = Array(group[start..<min(start + most, group.count)])
        if part.count > room {
          pages.append([])
          room = most
        }
        pages[pages.count - 1].append(part)
        room -= part.count
      }
    }
    return pages
  }
}
