/// All that the pages of a dashboard show: flows with their runs, and the links between flows.
///
/// The pages are made one by one, when they are asked for. Their links are relative, so they can be files or served.
package struct Dashboard: Sendable {
  /// A flow with its runs.
  struct Flow: Sendable {
    /// How the flow is by its runs.
    let health: FlowHealth
    /// The name of its page.
    let page: String
    /// What is unusual about the newest pull. It is computed once, because lists of all flows are sorted by it.
    let isSlower, isSmaller: Bool

    var id: String { health.flow }
  }

  /// The page that a reader opens first.
  package static let start = "index.html"

  /// The flows, sorted by their ids.
  let flows: [Flow]
  /// Which flow takes the records of which others.
  let lineage: FlowLineage
  /// The version of the program.
  let tool: String
  /// The position of each flow by the name of its page.
  private let positions: [String: Int]

  /// Creates a dashboard.
  ///
  /// - Parameters:
  ///   - entries: the runs of all flows, the newest last
  ///   - links: declared flows with the flows whose records they take
  ///   - tool: the version of the program
  package init(_ entries: [HistoryEntry], links: [(id: String, parents: [String])] = [], tool: String) {
    flows = FlowHealth.all(in: entries).sorted { $0.flow < $1.flow }.map {
      Flow(health: $0, page: Self.page(of: $0.flow), isSlower: $0.isSlower, isSmaller: $0.isSmaller)
    }
    positions = Dictionary(flows.enumerated().map { ($1.page, $0) }) { first, _ in first }
    lineage = FlowLineage(links)
    self.tool = tool
  }

  /// The flow with an id; nil when it has no run.
  func flow(_ id: String) -> Flow? { positions[Self.page(of: id)].map { flows[$0] } }

  /// The names of all pages, the start last: when it is written, all that it leads to is there.
  ///
  /// - Parameter now: seconds since 1970
  package func names(at now: Int64) -> [String] {
    var names = flows.map(\.page)
    for list in FlowList.allCases {
      names += (0..<list.pages(of: flows.count { list.has($0, at: now) })).map(list.page)
    }
    names += lineage.pages.indices.map(FlowLineage.page)
    return names + [Self.start]
  }

  /// A page; nil when there is none of that name.
  ///
  /// - Parameter now: seconds since 1970
  package func page(_ name: String, at now: Int64) -> [UInt8]? {
    if name == Self.start { return Array(DashboardOverview(self, now).text.utf8) }
    if let position = positions[name] { return Array(FlowPage(self, flows[position], now).text.utf8) }
    if let number = lineage.pages.indices.first(where: { FlowLineage.page($0) == name }) {
      return Array(LineagePage(self, number, now).text.utf8)
    }
    for list in FlowList.allCases {
      guard let number = list.number(ofPage: name) else { continue }
      return FlowListPage(self, list, number, now).map { Array($0.text.utf8) }
    }
    return nil
  }

  /// Whether a name is one that a page can have, also a page that is no more.
  package static func isPage(_ name: String) -> Bool {
    guard name.hasSuffix(".html") else { return false }
    return name == start || name.hasPrefix("flow-") || name.hasPrefix("lineage-")
      || FlowList.allCases.contains { $0.number(ofPage: name) != nil }
  }
}
