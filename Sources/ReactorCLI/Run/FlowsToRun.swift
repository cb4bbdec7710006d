internal import BatchRunner
internal import Fixtures
internal import FlowCompiler
internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

/// Selected flows with their parents, and the settings with which they are assembled.
struct FlowsToRun {
  var selected: SelectedFlows
  /// The selected flows and their ancestors.
  var declarations: [FlowDeclaration]
  var order: AssemblyOrder

  var files: [FileDeclaration] { selected.loaded.files }

  /// The flows whose requests may change the server, with the method of the first such request.
  var changing: [(id: String, method: String)] {
    declarations.compactMap { flow in flow.changingMethod.map { (flow.id, $0) } }
  }

  /// Leaves out the flows whose requests may change the server, and the flows that take their records.
  ///
  /// - Returns: the flows that were left out, with the method of the request
  mutating func leaveOutChanging() -> [(id: String, method: String)] {
    var left = changing
    while let child = declarations.first(where: { flow in
      !left.contains { $0.id == flow.id } && flow.parents.contains { parent in left.contains { $0.id == parent } }
    }) {
      let method = left.first { child.parents.contains($0.id) }?.method ?? ""
      left.append((child.id, method))
    }
    let ids = Set(left.map(\.id))
    declarations.removeAll { ids.contains($0.id) }
    selected.flows.removeAll { ids.contains($0.id) }
    return left
  }
}

extension Invocation {
  /// The folder in which replays store their history, separate from the history of runs.
  static let testMemory = ".reactor/fixtures"

  /// Loads and selects flows.
  ///
  /// - Parameters:
  ///   - memory: the folder that stores the status with which flows ended
  ///   - loaded: the flows if they were loaded already
  ///   - writes: whether the command writes below the output root
  func flowsToRun(
    _ selection: SelectionOptions, _ order: AssemblyOrder, memory: String = testMemory, loaded: LoadedFlows? = nil,
    writes: Bool = false
  ) throws(CommandError) -> FlowsToRun {
    var selected = try select(
      selection, root: memory, overrides: order.overrides, loaded: loaded, isRun: memory != Self.testMemory,
      writes: writes)
    try refuseUnknown(order.overrides, selected.loaded)
    var order = order
    guard order.demand != .rejected else {
      selected.flows.removeAll { $0.result.rejected == nil || $0.each == nil && $0.pull.cursor == nil }
      return FlowsToRun(selected: selected, declarations: selected.flows, order: order)
    }
    leaveOut(&selected, order)
    let (declarations, added) = Self.withParents(selected)
    order.added = added
    return FlowsToRun(selected: selected, declarations: declarations, order: order)
  }

  /// Decides which flows run, and which sources they use, and names the selected flows that do not run.
  ///
  /// Errors are reported when the flows are assembled.
  private func leaveOut(_ selected: inout SelectedFlows, _ order: AssemblyOrder) {
    var inputs = FlowCompiler.Inputs(overrides: order.overrides, environment: order.environment)
    if let present = order.present { inputs.present = { _ in .seconds(present) } }
    let decision = FlowCompiler(inputs: inputs).decide(selected.loaded.flows)
    guard !decision.isIdle else { return }
    let decided = Dictionary(decision.flows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let reasons = Dictionary(decision.leftOut.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
    for flow in selected.flows {
      if let reason = reasons[flow.id], !console.isQuiet { console.note("\(flow.id) does not run: \(reason)") }
    }
    selected.leftOut = selected.flows.count { reasons[$0.id] != nil }
    selected.flows = selected.flows.filter { reasons[$0.id] == nil }.map { decided[$0.id] ?? $0 }
    selected.loaded.flows = selected.loaded.flows.map { decided[$0.id] ?? $0 }
  }

  /// Assembles flows and shows all their problems.
  ///
  /// - Parameter problems: further problems of the assembled flows
  func assemble(
    _ flows: FlowsToRun, adding problems: (AssembledFlows) -> DiagnosticBag = { _ in DiagnosticBag() }
  ) -> (assembled: AssembledFlows, diagnostics: DiagnosticBag) {
    let declarations = flows.order.fixtures?.prepared(flows.declarations) ?? flows.declarations
    let assembled = assembly.assemble(declarations, flows.order)
    var diagnostics = flows.selected.loaded.diagnostics
    diagnostics.merge(assembled.diagnostics)
    diagnostics.merge(problems(assembled))
    console.show(diagnostics)
    err.flush()
    return (assembled, diagnostics)
  }

  /// Runs flows to the end without showing their progress.
  func execute(_ assembled: AssembledFlows, _ limits: RunLimits = RunLimits()) async -> RunState {
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits, end: assembled.end)).execute()
    await assembled.close()
    return state
  }

  /// Creates a fixture session for flows, with the secrets of their assembly order.
  func attach(_ settings: FixtureSettings, to flows: inout FlowsToRun) throws(CommandError) -> FixtureSession {
    let values = flows.order.secrets.mapValues { $0.reveal() }
    do throws(FixtureError) {
      let session = try FixtureSession(
        settings, flows.declarations, environment: self.settings.environment, secrets: values)
      flows.order.fixtures = session
      return session
    } catch {
      throw CommandError(error, .notWritten)
    }
  }
}
