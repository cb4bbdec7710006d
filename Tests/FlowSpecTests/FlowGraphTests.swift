import FlowSpec
import TestSupport
import Testing

@Suite struct FlowGraphTests {
  private static func graph(_ links: KeyValuePairs<String, [String]>) -> FlowGraph {
    FlowGraph(links.map { (id: $0.key, parents: $0.value) })
  }

  @Test func `parents come first, otherwise the order does not change`() {
    let graph = Self.graph(["a": ["c"], "b": [], "c": ["d"], "d": [], "e": ["a", "b", "gone"]])
    #expect(graph.order.map { graph.ids[$0] } == ["d", "c", "a", "b", "e"])
    #expect(graph.cycles.isEmpty)
    #expect(graph.withAncestors([0]) == [0, 2, 3])
    #expect(graph.withDescendants([3]) == [0, 2, 3, 4])
  }

  @Test func `every cycle is found and the order still contains all flows`() {
    let graph = Self.graph(["a": ["b"], "b": ["c"], "c": ["a"], "d": ["d"], "e": ["a"]])
    #expect(graph.cycles == [[0, 1, 2], [3]])
    #expect(graph.order.sorted() == [0, 1, 2, 3, 4])
  }

  @Test(arguments: 0..<50) func `in a random graph without cycles every parent comes first`(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    let ids = (0..<60).map { "f\($0)" }.shuffled(using: &random)
    var links: [(id: String, parents: [String])] = []
    for (index, id) in ids.enumerated() {
      let parents = ids[..<index].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      links.append((id, Array(parents)))
    }
    links.shuffle(using: &random)
    let graph = FlowGraph(links)
    var rank = [Int](repeating: -1, count: 60)
    for (number, flow) in graph.order.enumerated() { rank[flow] = number }
    #expect(rank.sorted() == Array(0..<60))
    for flow in graph.parents.indices {
      for parent in graph.parents[flow] { #expect(rank[parent] < rank[flow]) }
    }
    #expect(graph.cycles.isEmpty)
  }

  @Test func `the drawing shows parents above their children, each subtree once`() {
    let graph = Self.graph([
      "regions": [], "customers": ["regions"], "orders": ["customers"], "items": ["orders", "products"],
      "invoices": ["customers"], "products": [], "alone": [],
    ])
    let drawing = graph.drawing(of: Set(graph.ids.indices.dropLast())) { graph.ids[$0] }
    #expect(
      drawing.joined(separator: "\n") == """
        regions
        └─> customers
            ├─> orders
            │   └─> items
            └─> invoices
        products
        └─> items
        """)
    let again = Self.graph(["a": [], "b": [], "c": ["a", "b"], "d": ["c"]])
    #expect(
      again.drawing(of: [0, 1, 2, 3]) { again.ids[$0] } == ["a", "└─> c", "    └─> d", "b", "└─> c …"])
  }
}
