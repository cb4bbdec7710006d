package import BatchRunner
internal import ReactorCore
internal import SourceDiagnostics

/// Formats one line for each flow of a run, and one summary line for the run.
package struct FlowLine: Sendable {
  let style: TextStyle
  /// The width of the column of ids.
  let width: Int
  let hasTiming: Bool
  let isVerbose: Bool
  /// Returns the cells that are shown instead of those for the source and the saving; nil to show those two.
  let facts: @Sendable (FlowState) -> [String]?

  /// The maximum width of the column; a longer id moves the following cells to the right.
  private static let maximumIDWidth = 48

  /// Creates a format for the flows with these ids.
  package init(
    _ ids: some Sequence<String>, style: TextStyle, hasTiming: Bool, isVerbose: Bool,
    facts: @escaping @Sendable (FlowState) -> [String]? = { _ in nil }
  ) {
    self.facts = facts
    self.style = style
    var width = 0
    for id in ids where id.utf8.count > width && width < Self.maximumIDWidth { width = max(width, id.count) }
    self.width = min(width, Self.maximumIDWidth)
    self.hasTiming = hasTiming
    self.isVerbose = isVerbose
  }

  /// The line of a flow that has ended, with its line end.
  package func text(_ flow: FlowState) -> String {
    var cells = [word(flow.status), Quantity.padded(PrintableText.of(flow.id), to: width)]
    let facts = facts(flow)
    switch flow.status {
    case .passed:
      cells.append(Quantity.padded(Quantity.count(flow.records, "record"), to: 14, isRight: true))
      if facts == nil { cells.append(Quantity.padded(source(flow), to: 9)) }
    case .failed, .error, .cancelled, .queued, .running, .elsewhere:
      cells.append(Quantity.padded(reason(flow), to: 25))
    }
    if hasTiming { cells.append(Quantity.padded(flow.duration.map(Quantity.seconds) ?? "-", to: 8, isRight: true)) }
    if flow.retries > 0 {
      cells.append(style.paint(flow.retries == 1 ? "1 retry" : "\(flow.retries) retries", .odd))
    }
    if flow.rejected > 0 {
      let rejected = style.paint("\(flow.rejected) rejected", .odd)
      cells.append(rejected + (flow.rejectedPath.map { " -> " + PrintableText.of($0) } ?? ""))
    }
    if flow.filtered > 0 { cells.append("\(flow.filtered) left out") }
    if let facts {
      cells += facts
    } else {
      cells += self.saving(flow)
    }
    if flow.isAdded { cells.append("(as a parent)") }
    var line = cells.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line + "\n" + (isVerbose ? details(flow) : "")
  }

  private func saving(_ flow: FlowState) -> [String] {
    var cells: [String] = []
    switch flow.save {
    case .saved: if let path = flow.path { cells.append("-> " + PrintableText.of(path)) }
    case .failedTolerated, .failed: cells.append(style.paint("not saved", .odd))
    case .withheld: cells.append(style.paint("not saved: no record matches the schema", .odd))
    case .notAsked, .deferred:
      if flow.source == .persistence, let path = flow.path { cells.append("in " + PrintableText.of(path)) }
    }
    return cells
  }

  /// The summary line of the whole run, with its line end.
  package func summary(_ state: RunState) -> String {
    let counters = state.counters
    var parts = ["\(counters[.passed]) passed"]
    if counters[.failed] > 0 { parts.append(style.paint("\(counters[.failed]) failed", .bad)) }
    if counters[.error] > 0 {
      parts.append(style.paint(Quantity.count(counters[.error], "error"), .bad))
    }
    if counters[.cancelled] > 0 { parts.append(style.paint("\(counters[.cancelled]) cancelled", .odd)) }
    var cells = [
      style.paint(Quantity.count(counters.selected, "flow") + ":", .bold) + " " + parts.joined(separator: ", "),
      Quantity.count(counters.records, "record"),
    ]
    if counters.rejected > 0 { cells.append(style.paint("\(counters.rejected) rejected", .odd)) }
    if counters.filtered > 0 { cells.append("\(counters.filtered) left out") }
    if hasTiming, let started = state.started, let ended = state.ended {
      cells.append(Quantity.seconds(ended - started))
    }
    return cells.joined(separator: "  ") + "\n"
  }

  // MARK: - Cells

  private func word(_ status: FlowStatus) -> String {
    switch status {
    case .passed: style.hasSymbols ? style.paint("✓", .good) : style.paint("ok", .good) + "   "
    case .failed: style.hasSymbols ? style.paint("✗", .bad) : style.paint("FAIL", .bad) + " "
    case .error: style.hasSymbols ? style.paint("!", .bad) : style.paint("ERROR", .bad)
    case .cancelled, .queued, .running, .elsewhere:
      style.hasSymbols ? style.paint("–", .odd) : style.paint("STOP", .odd) + " "
    }
  }

  private func source(_ flow: FlowState) -> String {
    switch flow.source {
    case .network: "network"
    case .persistence:
      // Ages differ from run to run, as times do.
      hasTiming ? flow.summary.age.map { "persisted \(Quantity.age($0)) ago" } ?? "persisted" : "persisted"
    case .notModified: "unchanged"
    case nil: "-"
    }
  }

  private func reason(_ flow: FlowState) -> String {
    if flow.error?.isOtherRun ?? false {
      return flow.status == .cancelled ? "skipped: already running" : "already running"
    }
    if flow.status == .cancelled { return flow.attempt == 0 ? "not started" : "cancelled" }
    if case .failed = flow.save { return "not saved" }
    return flow.error.map { $0.kind.words } ?? "-"
  }

  private func details(_ flow: FlowState) -> String {
    var parts: [String] = []
    if let miss = flow.miss, miss != .disabled, miss != .skipped { parts.append(PrintableText.of(miss.description)) }
    if flow.bytes > 0 { parts.append(Quantity.bytes(flow.bytes)) }
    if hasTiming {
      let steps = FlowStep.allCases.compactMap { step in
        flow.timings[step].map { "\(step.rawValue) \(Quantity.seconds($0))" }
      }
      if !steps.isEmpty { parts.append(steps.joined(separator: ", ")) }
    }
    return parts.isEmpty ? "" : "       " + style.paint(parts.joined(separator: "; "), .faint) + "\n"
  }
}

extension ReactorError.Kind {
  /// The words for a cell of the table.
  var words: String {
    switch self {
    case .server: "server error"
    case .noConnectivity: "not reachable"
    case .persistence: "persistence error"
    case .parser: "does not fit"
    case .fixture: "fixture error"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    }
  }
}
