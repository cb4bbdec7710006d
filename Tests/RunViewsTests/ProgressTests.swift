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
    let names = ["shop.orders", "shop.customers", "eu.très_long_宽_" + String(repeating: "name", count: 30)]
    for index in 0..<min(running, ProgressFrame.maximumFlows) {
      let step = FlowStep.allCases[index % 5].rawValue
      let started = Duration.seconds(100 + index)
      snapshot.running.append(
        ProgressSnapshot.Running(id: names[index % 3], step: step, bytes: index * 70_000, started: started))
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

  @Test func `a snapshot of a run lists running flows in plan order, up to the maximum`() {
    let plan = RunPlan((0..<1000).map { SampleRun.flow("many.f\($0)", "f.yaml", 1) })
    var mutations: [RunMutation] = [.started(at: .seconds(1))]
    for index in 0..<20 { mutations.append(.flowStarted(index, at: .seconds(2))) }
    mutations += [
      .flowFailed(0, .noConnectivity, at: .seconds(3)), .flowProgressed(1, .started(.request)),
      .flowProgressed(1, .received(bytes: 77)),
      .flowFinished(2, FetchSummary(source: .network, records: 5, bytes: 10, save: .deferred), at: .seconds(3)),
    ]
    var snapshot = ProgressSnapshot(SampleRun.state(plan, mutations), maximum: 3)
    #expect(snapshot.running.map(\.id) == ["many.f1", "many.f3", "many.f4"])
    #expect(snapshot.running[0].step == "request" && snapshot.running[0].bytes == 77)
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
