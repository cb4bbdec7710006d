/// Small charts of a flow's last runs: duration and status, and records.
///
/// The newest run is on the right. A run that did not pass has a mark below the line, so that its colour is not the only
/// sign.
package struct RunStrip {
  /// The number of runs that are shown.
  package static let runs = 30

  /// The distance between two runs in units of the drawing.
  private static let step = 4
  /// The heights of a bar and of the mark below it.
  private static let (height, mark) = (13, 4)

  private let entries: ArraySlice<HistoryEntry>

  /// Creates the charts.
  ///
  /// - Parameter entries: the runs of the flow, the newest last
  package init(_ entries: [HistoryEntry]) { self.entries = entries.suffix(Self.runs) }

  /// The elements of both charts; empty without runs.
  package var html: String { entries.isEmpty ? "" : durations + records }

  /// The chart of durations and statuses.
  private var durations: String {
    let most = max(entries.lazy.compactMap(\.duration).max() ?? 0, 1)
    var paths: [RunReport.Flow.Status: String] = [:]
    for (index, entry) in entries.enumerated() {
      let height = entry.duration.map { Self.part($0, of: most) } ?? 1
      let end = entry.status == .passed ? Self.height : Self.height + 1 + Self.mark
      paths[entry.status, default: ""] += "M\(x(index)) \(Self.height - height)V\(end)"
    }
    let shown = RunReport.Flow.Status.allCases.compactMap { status in
      paths[status].map { "<path class=\"\(status.rawValue)\" d=\"\($0)\"/>" }
    }
    let counts = RunReport.Flow.Status.allCases.compactMap { status in
      let count = entries.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(status.rawValue)"
    }
    let times = entries.compactMap(\.duration)
    let range = times.min().map { least in
      "; \(Quantity.seconds(milliseconds: least)) to \(Quantity.seconds(milliseconds: most)) seconds"
    }
    return svg("Last \(Quantity.count(entries.count, "run")): \(counts.joined(separator: ", "))\(range ?? "")", shown)
  }

  /// The chart of the numbers of records.
  private var records: String {
    let counts = entries.map(\.records)
    let most = max(counts.max() ?? 0, 1)
    let path = counts.enumerated().map { index, count in
      "M\(x(index)) \(Self.height - (count == 0 ? 0 : Self.part(Int64(count), of: Int64(most))))V\(Self.height)"
    }
    return svg(
      "Records: \(Quantity.grouped(counts.min() ?? 0)) to \(Quantity.grouped(counts.max() ?? 0))",
      ["<path class=\"plain\" d=\"\(path.joined())\"/>"])
  }

  private func svg(_ label: String, _ parts: [String]) -> String {
    "<svg class=\"strip\" role=\"img\" aria-label=\"\(label)\" viewBox=\"0 0 \(Self.runs * Self.step) 18\">"
      + parts.joined() + "</svg>"
  }

  /// The position of a run.
  private func x(_ index: Int) -> Int { (Self.runs - entries.count + index) * Self.step + Self.step / 2 }

  private static func part(_ value: Int64, of most: Int64) -> Int {
    max(1, Int(Double(max(value, 0)) / Double(most) * Double(height)))
  }
}
