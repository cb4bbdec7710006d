internal import ArgumentParser
internal import BatchRunner
internal import Fixtures
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor record`.
struct RecordCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Run flows against their servers and record the responses as fixtures.",
    discussion: """
      Examples:
        reactor record
        reactor record -s billing.payments --record new
        reactor record --record-on-error -s 'shop.*'

      Each flow that passed gives fixtures/<flow>/cassette.yaml, with larger bodies
      beside it in bodies/. Secrets are removed by value, in whatever encoding they
      come back. Then the flow is replayed from its recording: missing goldens are
      written; what differs from existing ones waits for
      'reactor review'.
      """)

  @OptionGroup(title: "Selection") var selection: SelectionOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Fixtures") var fixtures: FixtureOptions
  @Flag(name: .customLong("record-on-error"), help: "Also record flows that did not pass.")
  var onError = false
  @OptionGroup(title: "Running") var jobs: JobOptions
  @OptionGroup(title: "Stopping") var stopping: StopOptions
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode { try await invocation.record(self) }
}

extension Invocation {
  /// Runs `reactor record`: runs flows against their servers, then against the new recordings.
  func record(_ command: RecordCommand) async throws(CommandError) -> ExitCode {
    var fixture = try fixtureSettings(command.fixtures, mode: .all, update: isInCI ? .none : .new)
    guard fixture.mode != .none else {
      throw CommandError("--record none records nothing", help: "'reactor test' replays")
    }
    fixture.recordsFailures = try settings.isOn(command.onError, "record-on-error")
    fixture.keepsUnused = fixture.mode == .new
    let (limits, grace) = (try limits(command.jobs, command.stopping), try grace(command.stopping))
    var ending = try ending(command.reports)
    var inputs = try inputs(command.inputs)
    inputs.readsSources = true

    var flows = try flowsToRun(command.selection, replayOrder(inputs))
    flows.order.secrets = try secrets(of: flows.files, inputs, for: flows.declarations)
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    ending.fixtures = session
    for flow in flows.changing where !console.isQuiet {
      err.write("note: \(flow.id) sends \(flow.method), which may change the server\n")
    }
    let (assembled, diagnostics) = assemble(flows)
    ending.take(flows.selected, diagnostics, obstacle(flows.selected, diagnostics), run: assembled.run, began: now)
    let (state, lost) = await WatchedRun.execute(assembled, limits, signals, grace: grace, ending)
    let recorded = Set(state.flows.filter { session.outcome(of: $0.id) != nil }.map(\.id))
    if !recorded.isEmpty {
      fixture.mode = .none
      ending.codes.formUnion(try await replay(flows, recorded: recorded, session, fixture, limits))
    }
    return ending.finish(state, signal: signals?.exitCode, lost: lost)
  }

  /// The settings with which flows are assembled for a recording or a replay.
  func replayOrder(_ inputs: Inputs) -> AssemblyOrder {
    var order = order(inputs)
    order.demand = .always
    return order
  }

  /// Replays the new recordings, and prints a line for each flow.
  ///
  /// Goldens are therefore written from recordings only.
  ///
  /// - Parameter recorded: ids of the flows that were recorded; the other flows run only as parents
  private func replay(
    _ flows: FlowsToRun, recorded: Set<String>, _ recorder: FixtureSession, _ fixture: FixtureSettings,
    _ limits: RunLimits
  ) async throws(CommandError) -> Set<ExitCode> {
    var flows = flows
    flows.order.secrets = placeholders(for: flows.files)
    let session = try attach(fixture, to: &flows)
    defer { session.close() }
    let state = await execute(assembly.assemble(session.prepared(flows.declarations), flows.order), limits)
    var codes: Set<ExitCode> = []
    for flow in state.flows where recorded.contains(flow.id) {
      var outcome = session.outcome(of: flow.id) ?? FixtureOutcome()
      do throws(FixtureError) {
        try recorder.drop(&outcome, of: flow.id)
      } catch {
        codes.insert(.notWritten)
        console.fail("\(flow.id): \(error.message)", help: error.help)
      }
      var text = "\(flow.id): \(Quantity.count(outcome.requests, "request")) recorded"
      if recorder.outcome(of: flow.id)?.recording == .unchanged { text += ", nothing changed" }
      switch outcome.golden {
      case .equal: text += "; equal to its golden"
      case .written: text += "; golden written"
      case .replaced: text += "; golden replaced"
      case .differs:
        let count = outcome.differences.count + outcome.differencesLeftOut
        text += "; \(Quantity.count(count, "difference")) from its golden: reactor review -s \(flow.id)"
      case .missing: text += "; no golden: reactor review -s \(flow.id)"
      case .none:
        codes.insert(.notJudged)
        text += "; but its replay fails: \(flow.error?.description ?? "no reason is known")"
      }
      if !console.isQuiet { err.write(PrintableText.of(err.masked(text), limit: 2000) + "\n") }
      for line in outcome.details { err.write("    \(PrintableText.of(err.masked(line), limit: 400))\n") }
    }
    return codes
  }
}
