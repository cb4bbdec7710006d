internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor drift`: the servers against the recordings; writes nothing.
  func drift(_ command: DriftCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let inputs = try inputs(command.inputs, console)
    let limits = RunLimits(
      jobs: try settings.count(command.jobs.jobs, "jobs", default: 8),
      perHost: try settings.count(command.jobs.perHost, "max-per-host", default: 4))
    let tellsValues = try settings.isOn(command.values, "values")
    let most = try settings.count(command.mostDifferences, "max-diffs", default: 20)
    guard var flows = try fixtureFlows(command.selection, inputs, console) else { return .usage }
    flows.order.timeout = try settings.seconds(command.timeout, "timeout")
    flows.order.secrets = secrets(of: flows.loaded.files, inputs, console)
    let values = flows.order.secrets.mapValues { $0.reveal() }
    var fixture = FixtureSettings()
    fixture.folder = settings.value(command.folder.fixtures, "fixtures")?.text ?? "fixtures"
    fixture.mode = .all
    fixture.recordsFailures = true
    fixture.writesRecordings = false
    fixture.now = now
    guard let session = session(fixture, flows.declarations, secrets: { values }, console) else { return .notWritten }
    defer { session.close() }
    flows.order.fixtures = session
    let (assembled, diagnostics) = assemble(flows, on: session, console)
    if let obstacle = obstacle(flows, diagnostics, console) { return obstacle }
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits)).execute()
    await assembled.close()

    var codes: Set<ExitCode> = []
    var list: [JSONValue] = []
    for flow in state.flows {
      let folder = FixtureFolder(root: fixture.folder, flow: flow.id)
      var lines: [String] = []
      var problem: String?
      do throws(FixtureError) {
        if let old = try folder.load() {
          if let new = session.recording(of: flow.id) {
            let matching = flows.declarations.first { $0.id == flow.id }?.fixture.matching ?? RequestMatching()
            lines = ResponseDrift.changes(from: old, to: new, matching: matching, values: tellsValues)
          } else {
            problem = flow.error?.description ?? "it was not asked"
          }
        } else {
          problem = "it is not recorded: reactor record -s \(flow.id)"
        }
      } catch {
        problem = error.message
      }
      if problem == nil, flow.error?.kind == .noConnectivity { problem = flow.error?.description }
      if problem != nil { codes.insert(.notJudged) } else if !lines.isEmpty { codes.insert(.failed) }
      list.append(
        .object([
          "id": .string(flow.id), "changes": .array(lines.map { .string(out.masked($0)) }),
          "problem": problem.map { .string(out.masked($0)) } ?? .null,
        ]))
      guard !console.isJSON else { continue }
      if let problem {
        console.fail("\(flow.id): \(problem)")
      } else if lines.isEmpty {
        if !console.isQuiet { out.write("same   \(flow.id)\n") }
      } else {
        out.write("\(console.outStyle.paint("DRIFT", .odd))  \(flow.id)  \(Quantity.count(lines.count, "change"))\n")
        for line in lines.prefix(most) { out.write("    \(PrintableText.of(out.masked(line), limit: 500))\n") }
        if lines.count > most { out.write("    and \(lines.count - most) more; --max-diffs shows more\n") }
      }
    }
    let exit = ExitCode.worst(of: codes)
    if console.isJSON { writeJSON(exit, diagnostics, [("flows", .array(list))]) }
    return exit
  }
}
