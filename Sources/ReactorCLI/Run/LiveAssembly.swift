internal import BatchRunner
internal import FlowCompiler
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import HTTPTransport
internal import ReactorCore
internal import SourceDiagnostics
internal import Storage

/// Assembles flows with real connections and real files.
struct LiveAssembly: FlowAssembly {
  func assemble(_ declarations: [FlowDeclaration], _ order: AssemblyOrder) -> AssembledFlows {
    let proxies = HTTPProxies(environment: order.environment)
    let scratch = order.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let secrets = KnownSecrets(
      observer: { secret in
        order.learn(secret)
        order.fixtures?.learn(secret)
      }, succession: { order.fixtures?.learn($0, inPlaceOf: $1) })
    let environment =
      order.fixtures?.environment(proxies, scratch: scratch, secrets: secrets)
      ?? FlowEnvironment(
        root: OutputRoot(path: order.root), proxies: proxies, scratch: scratch, secrets: secrets,
        tokenRoot: order.inputs, state: order.state, inputs: order.inputs.map { OutputRoot(path: $0) },
        otherRuns: order.otherRuns,
        membership: order.membership, tracing: order.tracing,
        makeClient: { HTTPClient(loadsInBackground: true) })
    var inputs = FlowCompiler.Inputs(
      overrides: order.overrides, secrets: order.secrets, environment: order.environment,
      maxRejected: order.maxRejected)
    inputs.isFullRefresh = order.demand == .everything
    inputs.since = order.since
    inputs.isRetryingRejected = order.demand == .rejected
    inputs.parents = order.parents
    // Flows that do not run were left out when the flows were selected. Other commands describe them.
    inputs.ignoresConditions = true
    if let present = order.present { inputs.present = { _ in .seconds(present) } }
    if let fixtures = order.fixtures { inputs.present = { .seconds(fixtures.moment(of: $0)) } }
    let compilation = FlowCompiler(inputs: inputs).compile(declarations)
    let tolerant = Set(declarations.lazy.filter { !$0.result.failsOnSaveError }.map(\.id))
    let mode = FetchMode(order.demand)
    let flows = environment.flows(for: compilation.plans)
    var assembled = AssembledFlows(
      flows: flows.map { flow in
        var runnable = RunnableFlow(
          flow, mode: mode, toleratesSaveFailure: tolerant.contains(flow.id))
        runnable.isAdded = order.added.contains(flow.id)
        if let fixtures = order.fixtures {
          runnable.execution = { (queue, observer) async throws(ReactorError) -> FetchSummary in
            try await fixtures.run(flow, queue: queue, observer: observer)
          }
        }
        return runnable
      },
      diagnostics: compilation.diagnostics,
      cursors: flows.compactMap { flow in flow.memory.map { (id: flow.id, cursor: $0) } },
      explanations: {
        var explanations: [AssembledFlows.Explanation] = []
        for flow in flows {
          let look = await flow.persisted()
          var items: [(heading: String, text: String)] = []
          for item in flow.explanation.items {
            items.append((item.heading, item.text))
            if item.heading == "1 persistence", look.miss != .disabled { items.append(("  now", look.description)) }
            if item.heading == (flow.cursor == nil ? "  known by" : "  cursor"), let bound = look.bound {
              items.append(("  now", bound))
            }
          }
          explanations.append(.init(id: flow.id, items: items, step: Self.step(flow, look, mode)))
        }
        return explanations
      }, close: { await environment.close() })
    assembled.run = environment.run
    assembled.end = environment.runEnd
    assembled.rehearsal = {
      var parts: [AssembledFlows.Rehearsal] = []
      for flow in flows {
        for (part, failure) in await flow.rehearse() {
          parts.append(AssembledFlows.Rehearsal(flow: flow.id, part: part, failure: failure))
        }
      }
      return parts
    }
    return assembled
  }

  private static func step(_ flow: DeclaredFlow, _ look: PersistenceLookup, _ mode: FetchMode)
    -> AssembledFlows.FirstStep
  {
    let action: AssembledFlows.FirstStep.Action =
      switch mode {
      case .fresh, .revalidate: .ask
      case .persistenceFirst: look.miss == nil ? .use : .ask
      case .offline: look.miss == nil ? .use : .fail
      }
    return .init(
      action, request: flow.request, auth: flow.auth, persisted: look.description,
      bound: action == .ask ? look.bound : nil,
      expires: action == .use ? look.expiresAt.map(PersistenceLookup.time) : nil)
  }
}

extension FetchMode {
  fileprivate init(_ demand: FreshDemand) {
    switch demand {
    case .usual: self = .persistenceFirst
    case .validate: self = .revalidate
    case .always, .everything, .rejected: self = .fresh
    case .never: self = .offline
    }
  }
}
