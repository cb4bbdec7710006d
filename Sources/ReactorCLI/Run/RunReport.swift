internal import BatchRunner
internal import SourceDiagnostics

/// What is said at the end of a run, and the exit code.
struct RunReport: Sendable {
  let console: Console
  let isOffline: Bool
  let hasTiming: Bool
  /// Problems of the configuration.
  let diagnostics: [Diagnostic]
  /// Exit codes that hold whatever the flows do.
  let codes: Set<ExitCode>

  /// The form of the lines for flows with these ids.
  func line(_ ids: [String]) -> FlowLine {
    FlowLine(ids, style: console.outStyle, hasTiming: hasTiming, isVerbose: console.isVerbose)
  }

  /// Tells the problems and the sums; gives the exit code.
  func finish(_ state: RunState, signal: ExitCode?) -> ExitCode {
    var codes = codes
    codes.formUnion(ExitCode.codes(of: state.flows, isOffline: isOffline, isInterrupted: signal != nil))
    if let signal { codes.insert(signal) }
    if console.out.failure != nil { codes.insert(.notWritten) }
    let exit = ExitCode.worst(of: codes)
    // Lines come before the problems also where both streams are one.
    console.out.flush()
    let out = console.out
    let mask: @Sendable (String) -> String = { out.masked($0) }
    let problems = FlowProblem(
      style: console.errStyle, isVerbose: console.isVerbose, isOffline: isOffline, mask: mask)
    for flow in state.flows { console.err.write(problems.text(flow)) }
    console.err.flush()
    if console.isJSON {
      let summary = RunSummary(isOffline: isOffline, hasTiming: hasTiming, mask: mask)
      console.out.writeMasked(summary.bytes(state, exit: exit, diagnostics: diagnostics))
    } else if !console.isQuiet, !state.flows.isEmpty {
      console.out.write(line(state.flows.map(\.id)).summary(state))
    }
    return exit
  }
}
