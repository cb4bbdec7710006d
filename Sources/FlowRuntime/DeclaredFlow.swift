internal import Authorization
public import ReactorCore
public import Records
internal import Storage

/// A declared flow that can run: a plan joined with its connection and its files.
///
/// A class, because each closure of its `ReactorFlow` retains it.
public final class DeclaredFlow: Sendable {
  /// What the flow does.
  public let plan: FlowPlan
  let environment: FlowEnvironment
  /// Nil without credentials.
  let authorization: RequestAuthorization?
  /// Passes the records to child flows; nil when no flow takes them.
  let feed: RecordFeed?
  let messageMask = MessageMask()

  init(_ plan: FlowPlan, in environment: FlowEnvironment) {
    self.plan = plan
    self.environment = environment
    authorization = plan.auth.authorization(of: plan, in: environment)
    feed = plan.handsOnRecords ? environment.feed(of: plan.id) : nil
  }

  /// `file-stem.flow-name`.
  public var id: String { plan.id }
  /// The flow's key in its file.
  public var name: String { plan.origin.name }
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
  /// The path of rejected records relative to the root; nil when they are only reported.
  public var rejectedPath: String? { plan.result.rejected?.text }
  /// The longest the flow may take, in seconds.
  public var timeout: Double { plan.transfer.timeout }
  /// The request in short: method and URL, secrets masked.
  public var request: String { "\(plan.request.resource.method.rawValue) \(plan.request.shownURL)" }
  /// The kind of credentials (`bearer`, `oauth2`, …); nil without credentials.
  public var auth: String? { plan.auth.kind }
  /// A digest of the declared credentials; empty without credentials.
  ///
  /// It covers secrets, and does not change with the tokens that are obtained. What is persisted under one must not be
  /// asked for under another.
  public var credentialIdentity: String { plan.auth.identity.text }
  /// What is remembered of a flow with a cursor; nil for one without.
  public var cursor: CursorAccess? { plan.cursor == nil ? nil : CursorAccess(flow: self) }
  /// What is remembered of a flow that asks only for what is new (`cursor`) or changed (`only: changed`); nil for
  /// others.
  public var memory: CursorAccess? { plan.isIncremental ? CursorAccess(flow: self) : nil }
  /// Whether the result is read back from its file, by the flow itself or for its child flows.
  public var readsResult: Bool { plan.isIncremental || handsOnResult }
  /// What the flow would do, with secrets masked and the paths of this environment.
  public var explanation: FlowExplanation { plan.explanation(tokenRoot: environment.tokenRoot) }

  /// What the flow would find persisted if it ran now; opens no connection and writes nothing.
  @concurrent public func persisted() async -> PersistenceLookup {
    var lookup = PersistenceLookup(miss: .disabled)
    if let persistence = persistence({ _ in }) {
      lookup = await PersistenceLookup(of: plan.request.resource, in: persistence)
    }
    lookup.bound = await boundWords()
    return lookup
  }

  /// Prepares a run; to be called before the flow or any of its child flows starts, so that these get the new records.
  public func begin() { feed?.renew() }

  /// What the flow asks for, as declared; with parents, pages or a cursor, what the requests have in common.
  public var resource: Resource { plan.request.resource }

  /// The flow as the closures of the core: to be decorated, to have one replaced, or to be run by a `Reactor`.
  ///
  /// Its network closure honours the resource that it is given; the result belongs to that resource. Another client
  /// takes the place of the declared one by the environment's `TransportOverride`.
  ///
  /// - Parameters:
  ///   - persistence: replaces the declared path; the records are held in memory for it, at most 32 MiB, as they are
  ///     where nothing is declared
  ///   - responseModifier: judges responses in place of the declared `expect.status`
  ///   - observer: called for each step
  public func reactorFlow(
    persistingIn persistence: (any Persistence<RecordSet>)? = nil, responseModifier: ResponseModifier? = nil,
    observer: @escaping FlowObserver = { _ in }
  ) -> ReactorFlow<RecordSet> {
    var plan = plan
    if persistence != nil { plan.result.output = nil }
    plan.holdsRecords = plan.result.output == nil
    let declared = DeclaredFlow(plan, in: environment)
    let flow = declared.flow(declared.instruments(observer), responseModifier: responseModifier)
    guard let persistence else { return flow }
    return flow.persisting(in: persistence)
  }

  /// A reactor over the flow with the declared flags.
  public func reactor(
    _ flow: ReactorFlow<RecordSet>? = nil, queue: SaveQueue = SaveQueue(), observer: @escaping FlowObserver = { _ in }
  ) -> Reactor<RecordSet> {
    Reactor(
      flow: flow ?? reactorFlow(observer: observer), configuration: configuration, queue: queue, name: id,
      instruments: instruments(observer))
  }
}

extension FlowEnvironment {
  /// Joins plans with this environment, in their order; opens nothing.
  ///
  /// Flows with the same authorization share a session.
  public func flows(for plans: [FlowPlan]) -> [DeclaredFlow] { plans.map { DeclaredFlow($0, in: self) } }
}
