internal import BatchRunner
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Prints and writes the results at the end of a run, and determines the exit code.
struct RunEnding: Sendable {
  var console: Console
  let hasTiming: Bool
  private(set) var desk: ReportDesk
  var isOffline = false
  /// Whether the run fails when a flow passed without all of its records.
  var failsPartial = false
  /// What looks at the run when it has ended.
  var observers: [any RunObserver] = []
  /// The id of the trace of which the run is a part; nil when neither a receiver nor a server gets it.
  var traceID: String?
  /// Records the times of flows and their steps; nil when nothing needs them.
  var trace: TraceRecorder?
  /// The fixtures that replace the network.
  var fixtures: FixtureSession?
  private(set) var shard: RunReport.Shard?
  /// Diagnostics of the configuration.
  private(set) var diagnostics: [Diagnostic] = []
  /// Exit codes that apply independently of the flows.
  var codes: Set<ExitCode> = []
  /// Whether other processes have the other flows of the run.
  private var isPart = false
  /// The output root that contains the history.
  private(set) var root = "."
  /// This run as the history will list it.
  private var run = HistoryRun(id: "", began: 0, tool: ToolVersion.text)

  init(console: Console, hasTiming: Bool, desk: ReportDesk) {
    self.console = console
    self.hasTiming = hasTiming
    self.desk = desk
  }

  /// The flow files with their lines, for pages that show them.
  private var sources: [String: SourceFile] = [:]

  /// Stores the facts that are known before the run starts.
  mutating func take(
    _ selected: SelectedFlows, _ diagnostics: DiagnosticBag, _ obstacle: ExitCode?, run: String, began: Int64,
    root: String = Invocation.testMemory
  ) {
    (shard, self.root) = (selected.shard, root)
    self.run = HistoryRun(id: run, began: began, tool: ToolVersion.text)
    self.diagnostics = diagnostics.diagnostics
    if let obstacle { codes.insert(obstacle) }
    guard desk.hasPages else { return }
    for flow in selected.flows { sources[flow.range.file.path] = flow.range.file }
    for diagnostic in self.diagnostics { if let file = diagnostic.range?.file { sources[file.path] = file } }
  }

  /// The ending of the part of a run that this process has, when several processes take part in it.
  ///
  /// The shared state has the history, and the process that ends last writes the reports of the whole run.
  func forPart() -> RunEnding {
    var part = self
    part.isPart = true
    part.desk = ReportDesk(orders: desk.eventLogs, environment: desk.environment)
    return part
  }

  /// The diagnostics as a report has them.
  var reportedProblems: [RunReport.Problem] {
    let out = console.out
    return RunReport.problems(diagnostics) { out.masked($0) }
  }

  /// The line of the history for a flow.
  ///
  /// - Parameter start: the reading of the run's clock at its beginning
  func entry(of flow: FlowState, start: Duration, _ mask: (String) -> String) -> HistoryEntry {
    run.entry(of: flow, start: start, mask)
  }

  /// When the run began, in seconds since 1970.
  var began: Int64 { run.began }

  /// Whether a line is printed for each flow.
  var printsLines: Bool { !console.isJSON && !desk.takesOutput }

  /// The format of the lines for flows with these ids.
  func line(_ ids: [String]) -> FlowLine {
    let fixtures = fixtures
    return FlowLine(ids, style: console.outStyle, hasTiming: hasTiming, isVerbose: console.isVerbose) { flow in
      fixtures?.cells(flow)
    }
  }

  /// Prints the problems and totals, writes the reports, and returns the exit code.
  ///
  /// - Parameter lost: messages about reports that were not written
  func finish(_ state: RunState, signal: ExitCode?, lost: [String] = []) -> ExitCode {
    var codes = codes
    codes.formUnion(ExitCode.codes(of: state.flows, isOffline: isOffline, isInterrupted: signal != nil))
    if let signal { codes.insert(signal) }
    if console.out.failure != nil || !lost.isEmpty { codes.insert(.notWritten) }
    // Flush first, so that the lines come before the problems also when both streams go to the same file.
    console.out.flush()
    // GitHub must not interpret text from servers as workflow commands.
    let token = desk.isForGitHub ? Self.token() : nil
    if let token { console.err.write(GitHubAnnotations.stop(token)) }
    let out = console.out
    let mask: @Sendable (String) -> String = { out.masked($0) }
    let problems = FlowProblem(
      style: console.errStyle, isVerbose: console.isVerbose, isOffline: isOffline,
      warnsOfRejected: fixtures == nil, mask: mask)
    // Indices are used because a loop over the elements copies every flow.
    for index in state.flows.indices {
      let hasRemedy = !(fixtures?.knowsRemedy(for: state.flows[index]) ?? false)
      console.err.write(problems.text(state.flows[index], hasRemedy: hasRemedy))
      if let fixtures { console.err.write(fixtures.text(state.flows[index], style: console.errStyle, mask: mask)) }
    }
    if let fixtures { codes.formUnion(fixtures.policies(state)) }
    if failsPartial, state.flows.contains(where: \.isPartial) { codes.insert(.policy) }
    console.err.flush()

    var report = report(of: state, exit: ExitCode.worst(of: codes), mask)
    remember(state, mask)
    let lost = lost + (report.map { desk.write($0, in: surroundings(of: $0), console) } ?? [])
    if !lost.isEmpty { codes.insert(.notWritten) }
    let exit = ExitCode.worst(of: codes)
    report?.exit = exit.rawValue
    if console.isJSON, let report {
      console.out.writeMasked(report.jsonLine)
    } else if printsLines, !console.isQuiet, !state.flows.isEmpty {
      console.out.write(line(state.flows.map(\.id)).summary(state))
    }
    for message in lost { console.fail(message) }
    if let token, let report {
      console.out.flush()
      console.err.write(GitHubAnnotations.resume(token) + GitHubAnnotations().text(report))
    }
    return exit
  }

  /// Calls the observers of the run; without any, nothing is read.
  ///
  /// - Parameter now: seconds since 1970
  func observe(_ state: RunState, at now: Int64) async -> Set<ExitCode> {
    guard !observers.isEmpty, !state.flows.isEmpty else { return [] }
    let out = console.out
    let earlier = RunHistory.entries(root: root).filter { $0.run != run.id }
    return await observe(
      EndedRun(
        id: run.id, began: run.began, ended: now, entries: run.entries(of: state) { out.masked($0) }, earlier: earlier))
  }

  /// Calls the observers of a run.
  func observe(_ run: EndedRun) async -> Set<ExitCode> {
    var codes: Set<ExitCode> = []
    for observer in observers { codes.formUnion(await observer.observe(run, console)) }
    return codes
  }

  /// What pages show beside the report; nothing is read when no page is requested.
  private func surroundings(of report: RunReport) -> RunSurroundings {
    guard desk.hasPages else { return RunSurroundings() }
    var surroundings = RunSurroundings(
      of: report, at: began + (report.duration ?? 0) / 1000, report.hasTiming ? RunHistory.entries(root: root) : [])
    add(to: &surroundings)
    return surroundings
  }

  /// Adds the lines of the flow files to what pages show.
  func add(to surroundings: inout RunSurroundings) {
    let out = console.out
    surroundings.add(sources.values) { out.masked($0) }
  }

  /// The data for the reports; nil when no report is requested, because the data are a copy of each flow.
  private func report(
    of state: RunState, exit: ExitCode, _ mask: @escaping @Sendable (String) -> String
  ) -> RunReport? {
    guard console.isJSON || !desk.orders.isEmpty || fixtures != nil else { return nil }
    var report = RunReport(
      state, exit: exit.rawValue, began: run.began, tool: ToolVersion.text, isOffline: isOffline, hasTiming: hasTiming,
      shard: shard,
      problems: diagnostics, mask: mask)
    if hasTiming { report.traceID = traceID }
    fixtures?.complete(&report)
    return report
  }

  private func remember(_ state: RunState, _ mask: (String) -> String) {
    guard !state.flows.isEmpty, !isPart else { return }
    do throws(WholeFile.AccessError) {
      try RunHistory.append(run.entries(of: state, mask: mask), root: root)
    } catch {
      console.warn(
        "'\(RunHistory.path(root))' could not be written, so 'result:' will not know this run: \(error.message)")
    }
  }

  /// A random text that cannot be guessed.
  static func token() -> String {
    var random = SystemRandomNumberGenerator()
    return "reactor-" + String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }
}
