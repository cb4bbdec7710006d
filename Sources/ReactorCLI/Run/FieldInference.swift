internal import BatchRunner
internal import Fixtures
internal import FlowFolders
internal import FlowModel
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Infers the fields of flows whose schemas name none: pulls the records once, and discards the result.
struct FieldInference {
  private let invocation: Invocation
  private let limits: RunLimits
  private(set) var failures: [ExitCode] = []
  /// The flows that were tried.
  private var tried: Set<String> = []

  private init(invocation: Invocation, limits: RunLimits) {
    self.invocation = invocation
    self.limits = limits
  }

  /// The flows whose fields are inferred together (`unknown`), and all flows that must run for this (`flows`).
  struct Step {
    var unknown: [FlowDeclaration]
    var flows: [FlowDeclaration]
    /// Flows whose fields cannot be inferred, because they or their ancestors may change the server.
    var changing: [FlowDeclaration]
  }

  /// The next step: flows without fields whose ancestors all have fields; nil when there are none.
  func next(of chosen: [FlowDeclaration], _ flows: [FlowDeclaration]) -> Step? {
    let graph = FlowGraph(flows)
    let ids = Set(chosen.map(\.id))
    func ancestors(of ids: Set<String>) -> [FlowDeclaration] {
      graph.withAncestors(Set(flows.indices.filter { ids.contains(flows[$0].id) })).sorted().map { flows[$0] }
    }
    let unknown = ancestors(of: ids).filter { flow in
      flow.schema?.origin == .unknown && !tried.contains(flow.id)
        && ancestors(of: [flow.id]).allSatisfy { $0.id == flow.id || $0.schema?.origin != .unknown }
    }
    guard !unknown.isEmpty else { return nil }
    let changing = unknown.filter { ancestors(of: [$0.id]).contains { $0.mayChangeServer } }
    let harmless = unknown.filter { flow in !changing.contains { $0.id == flow.id } }
    return Step(unknown: harmless, flows: ancestors(of: Set(harmless.map(\.id))), changing: changing)
  }

  /// Runs the flows of a step with a temporary folder, and writes the fields of their records into lock files.
  mutating func infer(_ step: Step, _ order: AssemblyOrder) async {
    tried.formUnion((step.unknown + step.changing).map(\.id))
    fail(
      step.changing, "its requests may change the server, and inferring sends them twice",
      help: "write the fields: 'schema: { fields: { id: integer } }'")
    guard !step.unknown.isEmpty else { return }
    let folder: String
    do throws(FixtureError) { folder = try FixtureFiles.makeTemporaryFolder(order.environment) } catch {
      return fail(step.unknown, error.message, help: error.help)
    }
    defer { FixtureFiles.removeTree(folder) }
    var order = order
    order.inputs = order.root
    order.root = folder
    order.demand = .always
    let assembled = invocation.assembly.assemble(step.flows.map(\.forInference), order)
    guard !assembled.diagnostics.hasErrors else {
      invocation.console.show(assembled.diagnostics)
      failures.append(.configuration)
      return await assembled.close()
    }
    let state = await BatchRun(RunPlan(assembled.flows, limits: limits, end: assembled.end), clock: .continuous)
      .execute()
    await assembled.close()
    for flow in step.unknown { lock(flow, state.flows.first { $0.id == flow.id }, in: folder) }
  }

  /// Writes the fields of a flow into its lock file.
  private mutating func lock(_ flow: FlowDeclaration, _ state: FlowState?, in folder: String) {
    if let error = state?.error {
      return fail([flow], error.message, help: FlowProblem.remedy(error, isOffline: false))
    }
    do throws(WholeFile.AccessError) {
      var fields = InferredFields()
      try fields.take(
        SchemaInference.wholeRecord, ofLinesIn: "\(folder)/\(FlowDeclaration.inferencePath(flow.id))")
      guard fields.count > 0 else {
        return fail(
          [flow], "the server sent no valid records",
          help: "run again when there are some, or write the fields: 'schema: { fields: { id: integer } }'")
      }
      let path = SchemaInference.lockPath(of: flow.file.path)
      let lines = fields.fields.map { "      \($0.line)\n" }.joined()
      let entry = "  \(flow.name):\n    fields:\n\(lines)"
      _ = try WholeFile.read(path, limit: 0)  // an error of the file, before it is replaced
      try WholeFile.replace(path) {
        // Read here, where no other run can replace the file, so that an entry that it wrote stays.
        let earlier = (try? WholeFile.read(path, limit: Self.lockLimit)).map {
          String(decoding: $0.bytes, as: UTF8.self)
        }
        guard let earlier else { return Array((Self.head + entry).utf8) }
        if earlier.contains("\n  \(flow.name):\n") { return Array(earlier.utf8) }
        return Array((earlier + (earlier.hasSuffix("\n") ? "" : "\n") + entry).utf8)
      }
      invocation.console.note(
        "\(path) now has the fields of '\(flow.id)', inferred from \(fields.count) records: review and commit it")
    } catch {
      fail([flow], error.message, help: nil)
    }
  }

  private mutating func fail(_ flows: [FlowDeclaration], _ reason: String, help: String?) {
    for flow in flows {
      failures.append(.notJudged)
      invocation.console.fail("the fields of '\(flow.id)' cannot be inferred: \(reason)", help: help)
    }
  }

  /// The maximum size of a lock file in bytes, the same as for every file of the configuration.
  private static let lockLimit = 2 << 20
  private static let head = """
    # Written by 'reactor run': fields that flows of the file beside this one do not name. Review it, correct it and
    # commit it: later runs read the fields from it. To infer the fields of a flow anew, delete its part.
    reactor: 1
    schemas:

    """
}

extension FieldInference {
  /// The flows of a run. Fields that are not known yet are inferred first, and written into the lock files.
  ///
  /// - Returns: the flows, and the exit codes for flows whose fields could not be inferred
  static func load(
    _ source: RunSource, _ selection: SelectionOptions, _ order: AssemblyOrder, _ limits: RunLimits, isDry: Bool,
    for invocation: Invocation
  ) async throws(CommandError) -> (loaded: LoadedFlows, unknown: [ExitCode]) {
    let (files, loaded) = (source.files, source.loaded)
    guard !loaded.unlocked.isEmpty, !loaded.diagnostics.hasErrors, !isDry else { return (loaded, []) }
    var inference = FieldInference(invocation: invocation, limits: limits)
    while true {
      let whole = files.load(order.overrides, isInferring: true)
      guard !whole.diagnostics.hasErrors else { return (whole, []) }
      let chosen = try invocation.flows(of: whole, selection, root: order.root, writes: true).flows
      guard let next = inference.next(of: chosen, whole.flows) else { break }
      if invocation.isInCI || order.demand == .never {
        let reason = invocation.isInCI ? "in CI" : "with --fresh=never"
        throw CommandError(
          "the fields of '\((next.unknown + next.changing)[0].id)' are not known, and nothing is inferred \(reason)",
          help: "run it once elsewhere, and commit the lock file beside its file", .configuration)
      }
      var order = order
      order.secrets = try invocation.secrets(of: whole.files, source.inputs, for: next.flows)
      await inference.infer(next, order)
    }
    return (files.load(order.overrides), inference.failures)
  }
}

extension FlowDeclaration {
  /// Whether requests of the flow may change something at the server, or make it work for long.
  fileprivate var mayChangeServer: Bool { changingMethod != nil || pull.job != nil || download != nil }

  /// The flow with its result in a file for the inference (`inferencePath`) instead of the declared one.
  fileprivate var forInference: FlowDeclaration {
    var flow = self
    var result = ResultStorage<WrittenTarget>()
    result.targets = [.file(Located(Template(text: Self.inferencePath(id)), at: range))]
    result.failsOnSaveError = true
    result.waits = true
    result.isConditional = false
    flow.result = result
    return flow
  }

  fileprivate static func inferencePath(_ id: String) -> String { "records/\(id).jsonl" }
}
