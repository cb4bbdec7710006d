internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// The command `reactor test`.
struct TestCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Replay recorded flows without a network and compare with their goldens.",
    discussion: """
      Examples:
        reactor test
        reactor test -s 'billing.*' --diff full
        reactor test --update new                  write missing goldens
        reactor test --report junit=junit.xml --patch accept.patch

      No socket is opened, waits take no time, and no result is persisted. In CI
      (CI is set) nothing is recorded and no golden is written.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Fixtures") var fixtures: FixtureOptions
  @Option(
    help: ArgumentHelp("Writes a patch for 'git apply' that accepts all differences.", valueName: "file"))
  var patch: String?
  @OptionGroup(title: "Running") var jobs: JobOptions
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.test(self) }
}

extension Invocation {
  /// Runs `reactor test`.
  func test(_ command: TestCommand) async throws(CommandError) -> ExitCode {
    var fixture = try fixtureSettings(command.fixtures, mode: .none, update: .none)
    let (limits, grace) = (try limits(command.jobs, command.stopping), try grace(command.stopping))
    var ending = try ending(command.reports)
    var inputs = try inputs(command.inputs)
    inputs.readsSources = true

    var flows = try flowsToRun(command.selection, replayOrder(inputs))
    if fixture.mode != .none {
      // Missing recordings are recorded first. The test itself is a replay in every mode.
      flows.order.secrets = try secrets(of: flows.files, inputs, for: flows.declarations)
      ending.codes = try await record(flows, fixture, limits)
      fixture.mode = .none
    }
    // A replay gets placeholders instead of secrets.
    flows.order.secrets = placeholders(for: flows.files)
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    ending.fixtures = session
    let (assembled, diagnostics) = assemble(flows)
    ending.take(flows.selected, diagnostics, obstacle(flows.selected, diagnostics), run: assembled.run, began: now)
    let (state, faults) = await WatchedRun.execute(assembled, limits, signals, grace: grace, ending)
    var lost = faults
    if let (path, _) = settings.value(command.patch, "patch") {
      let changes = state.flows.compactMap { session.outcome(of: $0.id) }.flatMap(\.changes)
      do throws(WholeFile.AccessError) {
        try ReportFile.write(AcceptancePatch(changes).bytes, to: path)
      } catch {
        lost.append("patch '\(path)' could not be written: \(error.message)")
      }
    }
    return ending.finish(state, signal: signals?.exitCode, lost: lost)
  }

  /// Records the requests that `--record` requires before a test; prints which flows could not be recorded.
  private func record(
    _ flows: FlowsToRun, _ fixture: FixtureSettings, _ limits: RunLimits
  ) async throws(CommandError) -> Set<ExitCode> {
    var (flows, fixture) = (flows, fixture)
    fixture.keepsUnused = fixture.mode == .new
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    let assembled = assembly.assemble(session.prepared(flows.declarations), flows.order)
    // The replay reports the same problems, so they are not printed here.
    guard !assembled.diagnostics.hasErrors else {
      await assembled.close()
      return []
    }
    var codes: Set<ExitCode> = []
    for flow in await execute(assembled, limits).flows where !flow.isAdded {
      guard session.outcome(of: flow.id) == nil, let error = flow.error else { continue }
      codes.insert(.notJudged)
      console.fail("\(flow.id) could not be recorded: \(error.description)")
    }
    return codes
  }
}
