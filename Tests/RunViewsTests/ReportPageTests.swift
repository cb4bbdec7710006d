import BatchRunner
import ReactorCore
import RunViews
import Testing

/// What the page of a report shows beside the report: the runs before, ages, lines of flow files.
@Suite(.timeLimit(.minutes(1))) struct ReportPageTests {
  /// 2026-01-02T12:00:00Z
  static let noon: Int64 = 1_767_355_200

  static func runs(_ flow: String, _ count: Int, _ change: (inout HistoryEntry, Int) -> Void = { _, _ in })
    -> [HistoryEntry]
  {
    (0..<count).map { number in
      let hour = number % 10
      var entry = HistoryEntry(run: "\(number)", flow: flow, status: .passed, started: "2026-01-02T0\(hour):00:00Z")
      (entry.duration, entry.records, entry.source) = (Int64(100 + number), 10 + number, "network")
      change(&entry, number)
      return entry
    }
  }

  static func page(_ flow: String, _ entries: [HistoryEntry], lines: [String: [String]] = [:]) -> String {
    let plan = RunPlan([SampleRun.flow(flow, "flows/shop.yaml", 3, path: "out/\(flow).jsonl")])
    let report = RunReport(
      SampleRun.state(
        plan,
        [
          .started(at: .zero), .flowStarted(0, at: .zero),
          .flowFailed(0, .server("no", status: 500), at: .milliseconds(30)), .finished(at: .seconds(1)),
        ]), exit: 5, tool: "9.9.9")
    var surroundings = RunSurroundings()
    surroundings.now = noon
    surroundings.lines = lines
    surroundings.add(entries)
    return HTMLReport(surroundings).text(report)
  }

  @Test func `a flow has the charts of its last 30 runs, with their data in words`() {
    let page = Self.page("shop.orders", Self.runs("shop.orders", 40) { if $1 == 39 { $0.status = .failed } })
    #expect(page.contains("Last 30 runs: 29 passed, 1 failed; 0.110 to 0.139 seconds"))
    #expect(page.contains("Records: 20 to 49"))
    #expect(page.contains("<th scope=\"col\">Last 30 runs</th>"))
  }

  @Test func `a result has its age, and is stale when it is older than declared`() {
    func page(_ freshness: Int64) -> String {
      Self.page("shop.orders", Self.runs("shop.orders", 4) { entry, _ in entry.freshness = freshness })
    }
    #expect(page(86_400).contains("<time datetime=\"2026-01-02T03:00:00Z\">2026-01-02 03:00</time>"))
    #expect(page(86_400).contains("9 hours old"))
    #expect(!page(86_400).contains(">stale<") && page(3600).contains(">stale<"))
  }

  @Test func `names in the history and lines of files are text`() {
    let name = "<script>x</script>\"'&\u{202E}"
    let page = Self.page(name, Self.runs(name, 2), lines: ["flows/shop.yaml": ["<i>1", "<i>2", "<i>3", "<i>4"]])
    #expect(!page.contains("<script") && !page.contains("<i>") && !page.contains("\u{202E}"))
    #expect(page.contains("&lt;script"))
  }

  @Test func `lines around a place are shown as far as the file goes`() {
    let lines = (1...4).map { "line \($0)" }
    var surroundings = RunSurroundings()
    surroundings.lines = ["a.yaml": lines]
    for (line, shown) in [(1, [1, 2, 3]), (4, [2, 3, 4]), (0, []), (5, []), (.max, []), (.min, [])] {
      #expect(surroundings.lines(of: "a.yaml", around: line).map(\.number) == shown)
    }
    #expect(surroundings.lines(of: "b.yaml", around: 1).isEmpty)
  }
}
