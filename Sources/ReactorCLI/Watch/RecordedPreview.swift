internal import BatchRunner
internal import Fixtures
internal import FlowCompiler
internal import FlowFolders
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

/// Describes loaded flows: their problems, or the first records that each gives from its recording.
struct RecordedPreview {
  /// The number of records that are shown of each flow.
  private static let shownRecords = 5
  /// The number of records that are compared with those of the last save.
  private static let comparedRecords = 10_000

  /// The records of each flow at one save, with which those of the next one are compared.
  typealias Shown = [String: Set<String>]

  private let invocation: Invocation
  private let inputs: Invocation.Inputs
  private let fixtures: String

  init(_ invocation: Invocation, inputs: Invocation.Inputs, fixtures: String) {
    self.invocation = invocation
    self.inputs = inputs
    self.fixtures = fixtures
  }

  /// Loads flow files, and lists every file on which the text depends.
  func load(_ paths: [String]) -> (loaded: LoadedFlows, files: Set<String>, recordings: Set<String>) {
    let (loaded, files) = FlowFiles(paths).loadListing(inputs.overrides)
    return (
      loaded, Set(files), Set(loaded.flows.map { FixtureFolder(root: fixtures, flow: $0.id).cassettePath })
    )
  }

  /// The lines for loaded flows, and what the next save is compared with.
  func text(of loaded: LoadedFlows, after last: Shown) async -> (text: String, shown: Shown) {
    var shown = last
    var diagnostics = invocation.problems(of: loaded, inputs)
    inputs.overrides.check(against: loaded.files, diagnostics: &diagnostics)
    guard !diagnostics.hasErrors else { return (rendered(diagnostics), shown) }
    do throws(CommandError) {
      let text = try await replayed(loaded, &diagnostics, last, &shown)
      return (rendered(diagnostics) + text, shown)
    } catch {
      return ("error: \(error.message)\n", shown)
    }
  }

  private var style: TextStyle { invocation.console.outStyle }

  private func rendered(_ diagnostics: DiagnosticBag) -> String {
    let bag = diagnostics.withoutRepeats
    return bag.diagnostics.isEmpty ? "" : DiagnosticRenderer(isColored: style.isColored).render(bag.diagnostics)
  }

  // MARK: - Replaying

  private func replayed(
    _ loaded: LoadedFlows, _ diagnostics: inout DiagnosticBag, _ last: Shown, _ shown: inout Shown
  ) async throws(CommandError) -> String {
    guard !loaded.flows.isEmpty else { return "the flow files declare no flows\n" }
    var order = invocation.replayOrder(inputs)
    // A replay needs no secret.
    order.secrets = invocation.placeholders(for: loaded.files)
    var decision = FlowCompiler(
      inputs: FlowCompiler.Inputs(overrides: order.overrides, secrets: order.secrets, environment: order.environment)
    ).decide(loaded.flows)
    if decision.isIdle { decision.flows = loaded.flows }
    var settings = FixtureSettings()
    (settings.folder, settings.retainedRecords, settings.now) = (fixtures, Self.comparedRecords, invocation.now)
    let session: FixtureSession
    do throws(FixtureError) {
      session = try FixtureSession(
        settings, decision.flows, environment: invocation.settings.environment,
        secrets: order.secrets.mapValues { $0.reveal() })
    } catch {
      throw CommandError(error, .notWritten)
    }
    defer { session.close() }
    order.fixtures = session
    let assembled = invocation.assembly.assemble(session.prepared(decision.flows), order)
    diagnostics.merge(assembled.diagnostics)
    guard !diagnostics.hasErrors else {
      await assembled.close()
      return ""
    }
    let state = await invocation.execute(assembled)
    var text = state.flows.map { self.text(of: $0, session, last, &shown) }.joined()
    for flow in decision.leftOut { text += "\(style.paint(flow.id, .bold))  does not run: \(flow.reason)\n" }
    return text
  }

  /// The lines of one flow.
  private func text(of flow: FlowState, _ session: FixtureSession, _ last: Shown, _ shown: inout Shown) -> String {
    let out = invocation.out
    let mask: @Sendable (String) -> String = { out.masked($0) }
    let id = style.paint(PrintableText.of(flow.id), .bold)
    let folder = FixtureFolder(root: fixtures, flow: flow.id)
    let outcome = session.outcome(of: flow.id) ?? FixtureOutcome()
    if flow.status != .passed, folder.recordedAt == nil {
      return "\(id)  no recording yet\n     = help: reactor record -s \(flow.id)\n"
    }
    var cells = [id]
    if flow.status == .passed {
      cells.append(Quantity.count(flow.records, "record"))
      if flow.filtered > 0 { cells.append("\(flow.filtered) left out") }
    }
    let known = last[flow.id]
    if flow.status == .passed { shown[flow.id] = Set(outcome.records) }
    let changed = known.map { known in outcome.records.count { !known.contains($0) } } ?? 0
    if changed > 0 { cells.append(style.paint("\(changed) new or changed", .odd)) }
    if flow.status == .passed, let known {
      let removed = known.subtracting(outcome.records).count - changed
      if removed > 0 { cells.append(style.paint("\(removed) fewer", .odd)) }
    }
    if flow.status == .passed {
      cells.append(style.paint("from \(Quantity.count(outcome.requests, "recorded request"))", .faint))
    }
    var text = cells.joined(separator: "  ") + "\n"
    for record in outcome.records.prefix(Self.shownRecords) {
      let isNew = known.map { !$0.contains(record) } ?? false
      text += (isNew ? style.paint("* ", .odd) : "  ") + PrintableText.of(mask(record), limit: 4000) + "\n"
    }
    if flow.records > Self.shownRecords, flow.status == .passed {
      text += style.paint("  and \(flow.records - Self.shownRecords) more", .faint) + "\n"
    }
    text += FlowProblem(style: style, isVerbose: true, mask: mask).text(flow, hasRemedy: outcome.details.isEmpty)
    for line in outcome.details { text += "    \(PrintableText.of(mask(line), limit: 400))\n" }
    return text
  }
}
