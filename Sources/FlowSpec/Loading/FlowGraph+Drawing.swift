extension FlowGraph {
  /// The graph as lines, parents above their children:
  ///
  ///     shop.regions
  ///     └─> shop.customers
  ///         ├─> shop.invoices
  ///         └─> shop.orders
  ///
  /// A flow with several parents stands below each; what is below it is drawn the first time, and `…` says so after that.
  ///
  /// - Parameters:
  ///   - chosen: the flows that are drawn, with all that stands between them
  ///   - label: what is written for a flow
  public func drawing(of chosen: Set<Int>, label: (Int) -> String) -> [String] {
    var lines: [String] = []
    var drawn: Set<Int> = []
    let roots = ids.indices.filter { flow in chosen.contains(flow) && !parents[flow].contains(where: chosen.contains) }
    for root in roots {
      // Flows still to be drawn, the next one last.
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
