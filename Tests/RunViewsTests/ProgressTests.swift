import BatchRunner
import ReactorCore
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProgressTests {
  static func snapshot(running: Int = 3, of selected: Int = 30, ended: Int = 21) -> ProgressSnapshot {
    var snapshot = ProgressSnapshot()
    snapshot.selected = selected
    snapshot.ended = ended
    snapshot.runningCount = running
    snapshot.records = 12_040
    snapshot.bytes = 12_300_000
    snapshot.started = .seconds(100)
    (snapshot.left, snapshot.recordRate) = (.seconds(12), 1720)
    let names = ["shop.orders", "shop.customers", "eu.très_long_宽_" + String(repeating: "name", count: 30)]
    for index in 0..<min(running, ProgressFrame.maximumFlows) {
      let step = FlowStep.allCases[index % 5].rawValue
      let started = Duration.seconds(100 + index)
      snapshot.running.append(
        ProgressSnapshot.Running(
          id: names[index % 3], step: step, bytes: index * 70_000, started: started,
          usual: index % 2 == 0 ? .seconds(750) : nil))
    }
    return snapshot
  }

  @Test(arguments: [40, 80, 200], [true, false])
  func `the display is the golden one at each width`(width: Int, hasSymbols: Bool) throws {
    let frame = ProgressFrame(style: TextStyle(hasSymbols: hasSymbols), width: width, height: 24)
    let lines = frame.lines(Self.snapshot(), now: .seconds(107), turn: 3)
    try Golden.check(
      lines.map { $0.text + "\n" }.joined(), "progress-\(width)-\(hasSymbols ? "symbols" : "ascii").txt")
  }

  @Test(arguments: [1, 2, 5, 10, 20, 39, 40, 41, 80, 200, 1000], [1, 2, 3, 5, 24, 100])
  func `no line reaches the last column and there are fewer lines than the terminal has`(width: Int, height: Int) {
    for isColored in [false, true] {
      for hasSymbols in [false, true] {
        for running in [0, 1, 3, 8, 9, 1000] {
          let frame = ProgressFrame(
            style: TextStyle(isColored: isColored, hasSymbols: hasSymbols), width: width, height: height)
          let lines = frame.lines(Self.snapshot(running: running, of: 1000, ended: 0), now: .seconds(107), turn: 0)
          #expect(lines.count <= max(height - 1, 1))
          for line in lines {
            let plain = line.text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(DisplayWidth.of(plain) == line.columns)
            #expect(line.columns < max(width, 2))
            if !hasSymbols, line.text.contains("shop") { #expect(line.text.unicodeScalars.allSatisfy { $0.isASCII }) }
            if !isColored { #expect(plain == line.text) }
          }
        }
      }
    }
  }

  @Test func `what is drawn is taken away again, also when the terminal has become narrower`() {
    let frame = ProgressFrame(style: TextStyle(), width: 80, height: 24)
    let lines = frame.lines(Self.snapshot(), now: .seconds(107), turn: 0)
    var block = ProgressBlock()
    #expect(block.erased(width: 80) == "")
    #expect(!block.replaced(by: lines, width: 80).contains("\u{1B}["))
    let up = "\u{1B}[A\u{1B}[2K"
    #expect(block.replaced(by: lines, width: 80).hasPrefix("\r\u{1B}[2K\(up)\(up)\(up)\(lines[0].text)"))
    // The cursor stands where the last line begins, which several rows have become; the rows above it are the others'.
    let above = lines.dropLast().reduce(0) { $0 + ($1.columns + 19) / 20 }
    let below = (lines[lines.count - 1].columns + 19) / 20 - 1
    #expect(below > 0)
    #expect(
      block.erased(width: 20) == "\r\u{1B}[2K" + String(repeating: "\u{1B}[B\u{1B}[2K", count: below)
        + String(repeating: "\u{1B}[A", count: below) + String(repeating: up, count: above))
    #expect(block.erased(width: 20) == "")
  }

  @Test func `what is not known is not shown`() {
    var snapshot = Self.snapshot(running: 1)
    (snapshot.left, snapshot.recordRate) = (nil, 0)
    snapshot.running[0].usual = nil
    func text() -> String {
      let frame = ProgressFrame(style: TextStyle(), width: 200, height: 24)
      return frame.lines(snapshot, now: .seconds(107), turn: 0).map(\.text).joined(separator: "\n")
    }
    for word in ["left", "/s", "usually"] { #expect(!text().contains(word)) }
    // The records of a long response are counted at its end; its bytes are counted before.
    snapshot.byteRate = 4_200_000
    #expect(text().contains("4.2 MB/s"))
    snapshot.recordRate = 7
    #expect(text().contains("7 rec/s") && !text().contains("MB/s"))
  }

  @Test func `a rate is that of the last seconds`() {
    var rate = RecentRate()
    var rates: [(records: Int, bytes: Int)] = []
    // 100 records a second for 20 seconds, then none.
    for tenth in 0...400 {
      rates.append(rate.rates(at: .milliseconds(tenth * 100), records: min(tenth, 200) * 10, bytes: tenth))
    }
    #expect(rates[0...9].allSatisfy { $0 == (0, 0) })
    #expect(rates[10...200].allSatisfy { $0 == (100, 10) })
    #expect(rates[230].records > 0 && rates[230].records < 100)
    #expect(rates[260].records == 0 && rates[400] == (0, 10))
    // A flow that fails takes its records back.
    #expect(rate.rates(at: .seconds(41), records: 0, bytes: 500).records == 0)
  }

  /// A plan of flows of one host, with a state: `ended` flows have passed and `running` flows run since `start`.
  private static func state(
    _ count: Int, ended: Int, running: Int, at start: Duration, jobs: Int = 2
  ) -> (RunPlan, RunState) {
    let plan = RunPlan(
      (0..<count).map { SampleRun.flow("many.f\($0)", "f.yaml", 1) }, limits: RunLimits(jobs: jobs, perHost: 2))
    var mutations: [RunMutation] = [.started(at: .zero)]
    for index in 0..<ended {
      mutations.append(.flowStarted(index, at: .zero))
      mutations.append(.flowFinished(index, FetchSummary(source: .network, records: 1), at: .seconds(1)))
    }
    for index in ended..<(ended + running) { mutations.append(.flowStarted(index, at: start)) }
    return (plan, SampleRun.state(plan, mutations))
  }

  @Test func `the time left follows from usual durations, else from the number of flows, else it is not known`() {
    func left(_ run: (RunPlan, RunState), now: Duration, _ usual: @escaping (String) -> Duration?) -> Duration? {
      ProgressSnapshot(run.1, maximum: 3, now: now, time: TimeLeft(run.0, usual: usual)).left
    }
    // Two run at once: 10 s and 6 s are left of those that run, and 4 wait for 10 s each.
    let run = Self.state(8, ended: 2, running: 2, at: .seconds(10))
    #expect(left(run, now: .seconds(10)) { _ in .seconds(10) } == .seconds(30))
    #expect(left(run, now: .seconds(14)) { _ in .seconds(10) } == .seconds(26))
    // A host takes two at once, whatever the run allows.
    let wide = Self.state(8, ended: 2, running: 2, at: .seconds(10), jobs: 8)
    #expect(left(wide, now: .seconds(10)) { _ in .seconds(10) } == .seconds(30))
    // The longest flow decides.
    #expect(left(run, now: .seconds(10)) { $0 == "many.f3" ? .seconds(500) : .seconds(1) } == .seconds(500))
    // Flows that take longer than usual have no known end.
    let late = Self.state(4, ended: 2, running: 2, at: .seconds(10))
    #expect(left(late, now: .seconds(90)) { _ in .seconds(10) } == nil)
    // One unknown flow is enough; then the flows that ended count, unless they are few or none waits.
    #expect(left(run, now: .seconds(14)) { $0 == "many.f7" ? nil : .seconds(10) } == nil)
    let many = Self.state(20, ended: 5, running: 2, at: .seconds(10))
    #expect(left(many, now: .seconds(10)) { _ in nil } == .seconds(30))
    let last = Self.state(20, ended: 18, running: 2, at: .seconds(10))
    #expect(left(last, now: .seconds(12)) { _ in nil } == nil)
  }

  @Test func `a snapshot of a run lists the flows that run longest, up to the maximum`() {
    let plan = RunPlan((0..<1000).map { SampleRun.flow("many.f\($0)", "f.yaml", 1) })
    var mutations: [RunMutation] = [.started(at: .seconds(1))]
    for index in 0..<20 { mutations.append(.flowStarted(index, at: .seconds(index < 15 ? 2 : 1))) }
    mutations += [
      .flowFailed(0, .noConnectivity, at: .seconds(3)), .flowProgressed(1, .started(.request)),
      .flowProgressed(1, .received(bytes: 77)),
      .flowFinished(2, FetchSummary(source: .network, records: 5, bytes: 10, save: .deferred), at: .seconds(3)),
    ]
    var snapshot = ProgressSnapshot(SampleRun.state(plan, mutations), maximum: 3)
    #expect(snapshot.running.map(\.id) == ["many.f15", "many.f16", "many.f17"])
    let all = ProgressSnapshot(SampleRun.state(plan, mutations), maximum: 50).running
    #expect(all.count == 18 && all[5].id == "many.f1" && all[5].step == "request" && all[5].bytes == 77)
    #expect([snapshot.ended, snapshot.failed, snapshot.runningCount, snapshot.records] == [2, 1, 18, 5])
    #expect(snapshot.saving == 0)
    snapshot = ProgressSnapshot(SampleRun.state(plan, mutations + [.cancelled, .draining]), maximum: 3)
    #expect(snapshot.saving == 1)
    #expect(snapshot.isCancelled)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab~"), ("宽宽宽", 5, "宽宽~"), ("宽宽", 2, "~"),
    ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("ab", 1, ""),
  ])
  func `text is cut by columns`(text: String, width: Int, cut: String) {
    #expect(DisplayWidth.cut(text, to: width) == cut)
  }
}
