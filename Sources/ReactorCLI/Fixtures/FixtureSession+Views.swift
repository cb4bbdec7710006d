internal import BatchRunner
internal import Fixtures
internal import RunViews
internal import SourceDiagnostics

extension FixtureSession {
  /// The cells that follow the record count in a flow's line.
  func cells(_ flow: FlowState) -> [String]? {
    guard let outcome = outcome(of: flow.id) else { return [] }
    var cells = [Quantity.count(outcome.requests, "request")]
    if outcome.waited > .zero { cells.append("waits of \(Quantity.seconds(outcome.waited)) skipped") }
    switch outcome.recording {
    case .written: cells.append("recorded")
    case .unchanged: cells.append("nothing changed")
    case .none: break
    }
    switch outcome.golden {
    case .written: cells.append("golden written")
    case .replaced: cells.append("golden replaced")
    case .differs:
      cells.append(Quantity.count(outcome.differences.count + outcome.differencesLeftOut, "difference"))
    case .none, .equal, .missing: break
    }
    return cells
  }

  /// The text after a flow's problem on standard error: a line for each difference, with its source location.
  func text(_ flow: FlowState, style: TextStyle, mask: (String) -> String) -> String {
    guard let outcome = outcome(of: flow.id) else { return "" }
    var report = RunReport.Flow(id: flow.id, file: flow.file, line: flow.line, status: .passed)
    fill(&report, outcome)
    var lines = report.differenceLines
    if outcome.golden == .differs || outcome.golden == .missing {
      lines.append(
        settings.keepsPending
          ? "decide: reactor review -s \(flow.id)"
          : "decide: run the test on your own machine, or apply the patch of --patch FILE"
      )
    }
    if let text = unusedText(outcome), settings.unused != .ignore { lines.append(text) }
    if let overdue = outcome.overdue, settings.stale != .ignore {
      lines.append(
        "the recording is \(overdue / 86_400) days older than 'fixture.max_age' allows: reactor record -s \(flow.id)")
    }
    return lines.map { "    \(PrintableText.of(mask($0), limit: 600))\n" }.joined()
  }

  /// Whether the text about the fixtures says how to fix the flow.
  func knowsRemedy(for flow: FlowState) -> Bool {
    guard let outcome = outcome(of: flow.id) else { return false }
    return !outcome.details.isEmpty || outcome.golden == .differs || outcome.golden == .missing
  }

  /// The exit codes of violated policies.
  func policies(_ state: RunState) -> Set<ExitCode> {
    let outcomes = state.flows.compactMap { flow in
      // A flow that stopped early did not send all its requests, so its unused recordings are unknown.
      flow.status == .passed ? outcome(of: flow.id) : nil
    }
    let isUnused = settings.unused == .fail && outcomes.contains { !$0.unused.isEmpty }
    let isStale = settings.stale == .fail && outcomes.contains { $0.overdue != nil }
    return isUnused || isStale ? [.policy] : []
  }

  /// Whether recordings replace the servers.
  var isReplay: Bool { settings.mode == .none }

  /// Adds the facts about recordings and goldens to a report, because the run's state does not contain them.
  func complete(_ report: inout RunReport) {
    for index in report.flows.indices {
      let id = report.flows[index].id
      // Results go to the memory of the test, and no server is asked in a replay.
      if report.flows[index].save == "saved" { report.flows[index].save = "none" }
      if isReplay, report.flows[index].source == "network" { report.flows[index].source = RunReport.Flow.replayed }
      guard let outcome = outcome(of: id) else { continue }
      fill(&report.flows[index], outcome)
      if outcome.golden == .differs { report.flows[index].failure?.help = "reactor review -s \(id)" }
      if !outcome.details.isEmpty { report.flows[index].failure?.help = nil }
    }
  }

  private func fill(_ flow: inout RunReport.Flow, _ outcome: FixtureOutcome) {
    let folder = FixtureFolder(root: settings.folder, flow: flow.id)
    flow.cassette = folder.cassettePath
    if settings.mode == .none { flow.golden = folder.path(FixtureFolder.records) }
    flow.differences = outcome.differences
    flow.differencesLeftOut = outcome.differencesLeftOut
    flow.details = outcome.details
  }

  private func unusedText(_ outcome: FixtureOutcome) -> String? {
    guard !outcome.unused.isEmpty, outcome.golden != .none else { return nil }
    let numbers = outcome.unused.prefix(10).map(String.init).joined(separator: ", ")
    let more = outcome.unused.count > 10 ? " and \(outcome.unused.count - 10) more" : ""
    return "no request asked for entry \(numbers)\(more) of the cassette: reactor fixtures prune"
  }
}
