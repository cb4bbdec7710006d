internal import Authorization
public import ReactorCore
public import Records
internal import Storage

/// A flow ready to run: every name resolved, every plan made, its connections and files at hand.
public struct CompiledFlow: Sendable {
  let flow: DeclaredFlow

  /// Joins a plan with what it touches; nothing is opened.
  package init(_ plan: FlowPlan, in environment: FlowEnvironment) { flow = DeclaredFlow(plan, in: environment) }

  /// What the flow does.
  package var plan: FlowPlan { flow.plan }

  /// `file-stem.flow-name`.
  public var id: String { plan.id }
  /// The flow's key in its file.
  public var name: String { plan.origin.name }
  /// What it is for.
  public var description: String? { plan.origin.description }
  /// Labels for selection.
  public var tags: [String] { plan.origin.tags }
  /// The flow file as the user named it.
  public var file: String { plan.origin.file }
  /// The line of the flow's key, from 1.
  public var line: Int { plan.origin.line }
  /// The flows whose records this one takes, by id.
  public var parents: [String] { plan.isRetrying ? [] : plan.each?.flows ?? [] }
  /// `scheme://host:port` of the resource: flows of one host share a limit.
  public var host: String { plan.request.baseURL.origin }
  /// The output path relative to the root; nil when nothing is persisted.
  public var outputPath: String? { plan.result.output?.text }
  /// Where rejected records go, relative to the root; nil when they are only reported.
  public var rejectedPath: String? { plan.result.rejected?.text }
  /// The longest the flow may take, in seconds.
  public var timeout: Double { plan.transfer.timeout }
  /// The request in short: method and URL, secrets masked.
  public var request: String { "\(plan.request.resource.method.rawValue) \(plan.request.shownURL)" }
  /// How requests are authorized, in a word (`bearer`, `oauth2`, …); nil without credentials.
  public var auth: String? { plan.auth.kind }
  /// A digest of the declared credentials, secrets included; the same for as long as they are, whatever tokens are
  /// obtained with them; empty without credentials. What is persisted under one must not be asked for under another.
  public var credentialIdentity: String { plan.auth.identity.text }
  /// What is remembered of a flow with a cursor; nil for one without.
  public var cursor: CursorAccess? { plan.cursor == nil ? nil : CursorAccess(flow: flow) }

  /// What is remembered of a flow that asks only for what is new (`cursor`) or changed (`only: changed`); nil for
  /// others.
  public var memory: CursorAccess? { plan.isIncremental ? CursorAccess(flow: flow) : nil }
  /// Whether the result is read back from its file, by the flow itself or for those that take its records.
  public var readsResult: Bool { flow.readsResult }

  /// What the flow would do, for `reactor explain`; secrets are masked, nothing is opened.
  public var explanation: FlowExplanation { plan.explanation }

  /// What the flow would find persisted if it ran now; opens no connection and writes nothing.
  @concurrent public func persisted() async -> PersistenceLookup { await flow.look() }

  /// To be called before the flow runs, and before any other starts that takes its records: these then get the records
  /// of the run to come, not of the last one.
  public func begin() { flow.feed?.renew() }

  /// What the flow asks for, as declared; where requests are made of parents, pages or cursors, what they have in
  /// common.
  public var resource: Resource { plan.request.resource }

  /// The flow as the closures of the core: to be decorated, to have one replaced, or to be run by a `Reactor`.
  ///
  /// Its network closure honours the resource that it is given; the result belongs to that resource. Another client
  /// takes the place of the declared one by the environment's `TransportOverride`.
  ///
  /// - Parameters:
  ///   - persistence: takes the place of the declared path; the records are held in memory for it, at most 32 MiB, as
  ///     they are where nothing is declared
  ///   - responseModifier: judges responses in place of the declared `expect.status`
  ///   - observer: called for each step
  public func reactorFlow(
    persistingIn persistence: (any Persistence<RecordSet>)? = nil, responseModifier: ResponseModifier? = nil,
    observer: @escaping FlowObserver = { _ in }
  ) -> ReactorFlow<RecordSet> {
    var plan = plan
    if persistence != nil { plan.result.output = nil }
    plan.holdsRecords = plan.result.output == nil
    let declared = DeclaredFlow(plan, in: flow.environment)
    let flow = declared.flow(declared.instruments(observer), responseModifier: responseModifier)
    guard let persistence else { return flow }
    return flow.persisting(in: persistence)
  }

  /// A reactor over the flow with the declared flags.
  public func reactor(
    _ flow: ReactorFlow<RecordSet>? = nil, queue: SaveQueue = SaveQueue(), observer: @escaping FlowObserver = { _ in }
  ) -> Reactor<RecordSet> {
    Reactor(
      flow: flow ?? reactorFlow(observer: observer), configuration: self.flow.savingRules, queue: queue, name: id,
      instruments: self.flow.instruments(observer))
  }

  /// Runs the flow once. One that takes the records of others waits for these, so they have to run too.
  ///
  /// - Parameters:
  ///   - mode: whether the persisted result may be used, and the network
  ///   - queue: takes the save when the flow does not wait for it; the caller drains it
  ///   - observer: is told of each step
  @concurrent public func execute(
    _ mode: FetchMode, queue: SaveQueue, observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    try await flow.execute(mode, queue, observer)
  }
}

/// Where a run may take results from.
public enum FetchMode: String, Sendable, Hashable, CaseIterable {
  /// The persisted result if it may be used, else the network (`fetch`).
  case persistenceFirst
  /// The persisted result if the server says that it is still right, whatever its age, else what the server gives.
  case revalidate
  /// The network (`fetchFromNetwork`); nothing that is kept is told.
  case fresh
  /// The persisted result only; expired ones too are not used.
  case offline
}

/// What one run of a flow gave.
public struct FlowOutcome: Sendable {
  /// Where the records came from.
  public var source: FetchSource
  /// Why the persisted result was not used.
  public var miss: PersistenceMiss?
  /// Counts and rejections.
  public var report: PruneReport
  /// Responses that the records came from.
  public var pages: Int
  /// Decoded bytes of the responses.
  public var bytes: Int
  /// What became of the save.
  public var save: SaveOutcome
  /// Time spent by step.
  public var timings: FlowTimings
}
