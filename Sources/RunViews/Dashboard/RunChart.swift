/// A chart of one number over the runs of a flow, a bar for each run or for some runs in a row.
///
/// The newest run is on the right. What did not pass has a mark below the line, so that its colour is not the only sign.
struct RunChart {
  /// The maximum number of bars.
  private static let most = 120
  /// The number of bars for which there is always room, so that a single one is not as wide as the page.
  private static let least = 30
  /// The distance of two bars, and the heights of a bar and of the mark below it, in units of the drawing.
  private static let (step, height, mark) = (6, 60, 8)

  private let title: String
  private let entries: [HistoryEntry]
  private let value: (HistoryEntry) -> Int64?
  private let words: (Int64) -> String

  /// Creates a chart.
  ///
  /// - Parameters:
  ///   - title: the name of the number
  ///   - entries: the runs, the newest last
  ///   - value: the number of a run; nil when it has none
  ///   - words: a number with its unit
  init(
    _ title: String, _ entries: [HistoryEntry], value: @escaping (HistoryEntry) -> Int64?,
    words: @escaping (Int64) -> String
  ) {
    (self.title, self.entries, self.value, self.words) = (title, entries, value, words)
  }

  /// The elements of the chart, with its data in words.
  var html: String {
    let values = entries.compactMap(value).sorted()
    guard let first = entries.first, let last = entries.last, let least = values.first, let most = values.last else {
      return ""
    }
    let size = (entries.count + Self.most - 1) / Self.most
    let bars = stride(from: 0, to: entries.count, by: size).map { entries[$0..<min($0 + size, entries.count)] }
    let room = max(bars.count, Self.least)
    var paths: [RunReport.Flow.Status: String] = [:]
    for (index, bar) in bars.enumerated() {
      let number = bar.compactMap(value).max() ?? 0
      let height = number <= 0 ? 0 : max(1, Int(Double(number) / Double(max(most, 1)) * Double(Self.height)))
      let status = bar.lazy.map(\.status).first { $0 != .passed } ?? .passed
      let x = (room - bars.count + index) * Self.step + Self.step / 2
      paths[status, default: ""] += "M\(x) \(Self.height - height)V\(Self.height)"
      if status != .passed { paths[status, default: ""] += "M\(x) \(Self.height + 2)V\(Self.height + Self.mark)" }
    }
    let range =
      least == most ? words(most) : "\(words(least)) to \(words(most)), median \(words(values[values.count / 2]))"
    let meaning = size == 1 ? "" : ". Each bar is the greatest of \(size) runs in a row"
    let drawn = RunReport.Flow.Status.allCases.compactMap { status in
      paths[status].map { "<path class=\"\(status.rawValue)\" d=\"\($0)\"/>" }
    }
    return """
      <figure class="chart">
      <figcaption><h3>\(title)</h3> <span class="soft small">\(range)\(meaning)</span></figcaption>
      <svg role="img" aria-label="\(title) of \(Quantity.count(entries.count, "run")): \(range)" \
      viewBox="0 0 \(room * Self.step) \(Self.height + Self.mark)" preserveAspectRatio="none">\(drawn.joined())</svg>
      <p class="ends soft small">\(Moment(first.started).html)\(entries.count > 1 ? Moment(last.started).html : "")</p>
      </figure>

      """
  }
}
