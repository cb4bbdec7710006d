internal import BatchRunner
internal import RunViews
internal import SourceDiagnostics

/// What is said and written at the end of a run, and the exit code.
struct RunEnding: Sendable {
  let console: Console
  let isOffline: Bool
  let hasTiming: Bool
  let shard: RunReport.Shard?
  let desk: ReportDesk
  let memory: Memory
  /// Problems of the configuration.
  let diagnostics: [Diagnostic]
  /// Exit codes that hold whatever the flows do.
  var codes: Set<ExitCode>
  /// The fixtures that stood in for the network.
  var fixtures: FixtureSession?
  /// Whether a flow that passed with less than all of its records makes the run fail.
  var failsPartial = false

  /// Where it is remembered how flows ended, and what is known.
  struct Memory: Sendable {
    let root: String
    let lastRun: LastRun
  }

  /// Whether a line is printed for each flow.
  var printsLines: Bool { !console.isJSON && !desk.takesOutput }

  /// The form of the lines for flows with these ids.
  func line(_ ids: [String]) -> FlowLine {
    let fixtures = fixtures
    return FlowLine(ids, style: console.outStyle, hasTiming: hasTiming, isVerbose: console.isVerbose) { flow in
      fixtures?.cells(flow)
    }
  }

  /// Tells the problems and the sums and writes the reports; gives the exit code.
  ///
  /// - Parameter faults: reports that were lost already.
  func finish(_ state: RunState, signal: ExitCode?, faults: [String] = []) -> ExitCode {
    var codes = codes
    codes.formUnion(ExitCode.codes(of: state.flows, isOffline: isOffline, isInterrupted: signal != nil))
    if let signal { codes.insert(signal) }
    if console.out.failure != nil || !faults.isEmpty { codes.insert(.notWritten) }
    // Lines come before the problems also where both streams are one.
    console.out.flush()
    // What servers say must not be taken for commands by who reads the log.
    let token = desk.isForGitHub ? Self.token() : nil
    if let token { console.err.write(GitHubAnnotations.stop(token)) }
    let out = console.out
    let mask: @Sendable (String) -> String = { out.masked($0) }
    let problems = FlowProblem(
      style: console.errStyle, isVerbose: console.isVerbose, isOffline: isOffline, mask: mask)
    // By index: a loop over the elements copies every flow.
    for place in state.flows.indices {
      let hasRemedy = !(fixtures?.knowsRemedy(for: state.flows[place]) ?? false)
      console.err.write(problems.text(state.flows[place], hasRemedy: hasRemedy))
      if let fixtures { console.err.write(fixtures.text(state.flows[place], style: console.errStyle, mask: mask)) }
    }
    if let fixtures { codes.formUnion(fixtures.policies(state)) }
    if failsPartial, state.flows.contains(where: \.isPartial) { codes.insert(.policy) }
    console.err.flush()

    var report = report(of: state, exit: ExitCode.worst(of: codes), mask)
    remember(
      report?.flows.map { ($0.id, $0.status) }
        ?? state.flows.indices.map { (mask(state.flows[$0].id), RunReport.Flow.Status(state.flows[$0].status)) })
    let lost = faults + (report.map { desk.write($0, console) } ?? [])
    if !lost.isEmpty { codes.insert(.notWritten) }
    let exit = ExitCode.worst(of: codes)
    report?.exit = exit.rawValue
    if console.isJSON, let report {
      console.out.writeMasked(report.jsonLine)
    } else if printsLines, !console.isQuiet, !state.flows.isEmpty {
      console.out.write(line(state.flows.map(\.id)).summary(state))
    }
    for fault in lost { console.fail(fault) }
    if let token, let report {
      console.out.flush()
      console.err.write(GitHubAnnotations.resume(token) + GitHubAnnotations().text(report))
    }
    return exit
  }

  /// What reports are written from; nil where nobody asked for one, for it holds each flow once more.
  private func report(
    of state: RunState, exit: ExitCode, _ mask: @escaping @Sendable (String) -> String
  ) -> RunReport? {
    guard console.isJSON || !desk.orders.isEmpty || fixtures != nil else { return nil }
    var report = RunReport(
      state, exit: exit.rawValue, tool: ToolVersion.text, isOffline: isOffline, hasTiming: hasTiming, shard: shard,
      problems: diagnostics, mask: mask)
    fixtures?.complete(&report)
    return report
  }

  private func remember(_ results: [(id: String, status: RunReport.Flow.Status)]) {
    guard !results.isEmpty else { return }
    var lastRun = memory.lastRun
    lastRun.reserve(results.count)
    for (id, status) in results { lastRun.take(id, status) }
    // A file that says the same is not written again: that waits for the disk.
    guard lastRun.isNews else { return ReportFile.removeLeftover(of: LastRun.path(memory.root)) }
    do throws(ReportFile.InvalidReport) {
      try lastRun.save(root: memory.root)
    } catch {
      console.warn(
        "'\(LastRun.path(memory.root))' could not be written, so --last-failed will not know: \(error.message)")
    }
  }

  /// Nobody can guess it who has not read it.
  static func token() -> String {
    var random = SystemRandomNumberGenerator()
    return "reactor-" + String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
  }
}
