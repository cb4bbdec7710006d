/// A drawing of flows as boxes in columns, with a line from each flow to those that take its records.
struct LineageDrawing {
  /// The size of a box, and the distances of columns and rows.
  private static let (width, height, gap, space) = (190, 30, 56, 12)
  /// The number of characters of an id that a box has room for.
  private static let characters = 24

  /// The number of rows from which a drawing is tall.
  private static let tall = 12

  private let dashboard: Dashboard
  private let flows: [Int]
  private let own: String?

  /// Creates a drawing.
  ///
  /// - Parameters:
  ///   - flows: the positions of flows in the lineage, each after its parents
  ///   - own: the id of the flow that has the page
  init(_ dashboard: Dashboard, _ flows: [Int], own: String? = nil) {
    (self.dashboard, self.flows, self.own) = (dashboard, flows, own)
  }

  /// The elements of the drawing.
  var html: String {
    let parents = dashboard.lineage.parents
    // The column of a flow is right of those of all its parents.
    var columns: [Int: Int] = [:]
    var rows: [[Int]] = []
    for flow in flows {
      let column = parents[flow].compactMap { columns[$0] }.max().map { $0 + 1 } ?? 0
      columns[flow] = column
      if column == rows.count { rows.append([]) }
      rows[column].append(flow)
    }
    let most = rows.map(\.count).max() ?? 0
    var places: [Int: (x: Int, y: Int)] = [:]
    for (column, var members) in rows.enumerated() {
      // A flow is beside its parents, as far as others let it.
      let heights = members.map { flow in
        let above = parents[flow].compactMap { places[$0]?.y }
        return above.isEmpty ? 0 : above.reduce(0, +) / above.count
      }
      members = zip(members, heights).enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
        .map(\.element.0)
      // In a tall drawing the middle is out of sight.
      let top = most > Self.tall ? 0 : (most - members.count) * (Self.height + Self.space) / 2
      for (row, flow) in members.enumerated() {
        places[flow] = (column * (Self.width + Self.gap) + 2, top + row * (Self.height + Self.space) + 2)
      }
    }
    let size = (rows.count * (Self.width + Self.gap) - Self.gap + 4, most * (Self.height + Self.space) - Self.space + 4)
    var text =
      "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Graph of \(Quantity.count(flows.count, "flow"))"
    text += ", which can be moved sideways\">\n"
    text += "<svg class=\"graph\" role=\"group\" aria-label=\"Graph\" width=\"\(size.0)\" height=\"\(size.1)\">\n"
    for flow in flows {
      guard let end = places[flow] else { continue }
      for parent in parents[flow] { if let start = places[parent] { text += Self.line(from: start, to: end) } }
    }
    for flow in flows { if let place = places[flow] { text += box(dashboard.lineage.ids[flow], place) } }
    return text + "</svg>\n</div>\n"
  }

  private static func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) -> String {
    let (left, right) = (start.x + width, end.x)
    let bend = max(gap / 2, (right - left) / 2)
    let (top, bottom) = (start.y + height / 2, end.y + height / 2)
    return "<path d=\"M\(left) \(top)C\(left + bend) \(top) \(right - bend) \(bottom) \(right) \(bottom)\"/>\n"
  }

  private func box(_ id: String, _ place: (x: Int, y: Int)) -> String {
    let flow = dashboard.flow(id)
    let kind = flow.map { FlowRows.kind($0.health.state) } ?? ""
    let state = flow.map(\.health.state.rawValue) ?? "no run"
    let short = id.count > Self.characters ? "\(id.prefix(Self.characters - 1))…" : id
    // The inner drawing cuts off what is wider than the box.
    let content = """
      <title>\(Dashboard.shown(id)): \(state)</title><rect x="\(place.x)" y="\(place.y)" width="\(Self.width)" \
      height="\(Self.height)" rx="5"/><svg x="\(place.x + 8)" y="\(place.y)" width="\(Self.width - 12)" \
      height="\(Self.height)"><text y="20">\(Dashboard.shown(short))</text></svg>
      """
    let group = "<g class=\"\(id == own ? "own " : "")\(kind)\">"
    guard let flow, id != own else { return "\(group)\(content)</g>\n" }
    return "\(group)<a href=\"\(Markup.text(flow.page))\">\(content)</a></g>\n"
  }
}
