internal import Authorization
internal import FlowModel
public import ReactorCore
public import Records
internal import Storage

/// A declared flow that can run: a plan with its connection and its files.
///
/// It is a class because each closure of its `ReactorFlow` retains it.
public final class DeclaredFlow: Sendable {
  /// The plan of the flow.
  public let plan: FlowPlan
  let environment: FlowEnvironment
  /// Authorizes the requests; nil without credentials.
  let authorization: RequestAuthorization?
  /// Passes the records to child flows; nil when the flow has no child flows in this run.
  let feed: RecordFeed?
  /// The flow with the request that it sends while it has no position; nil if it always sends the same request.
  let firstRun: DeclaredFlow?
  /// Whether a Swift caller runs the flow's closures directly, without `execute`.
  let isDetached: Bool
  let messageMask = MessageMask()
  /// The pulls that the flow's closures have started and that are still in progress.
  private let pulls = SharedPulls()

  init(_ plan: FlowPlan, in environment: FlowEnvironment, isDetached: Bool = false) {
    self.plan = plan
    self.isDetached = isDetached
    self.environment = environment
    for secret in plan.derivedSecrets { environment.secrets.add(secret) }
    authorization = plan.auth.authorization(of: plan, in: environment)
    feed = plan.handsOnRecords ? environment.feed(of: plan.id) : nil
    firstRun = plan.inFirstRun.map { DeclaredFlow($0, in: environment, isDetached: isDetached) }
  }

  /// The flow's id: `file-stem.flow-name`.
  public var id: String { plan.id }
  /// The flow's key in its file.
  public var name: String { plan.origin.name }
  /// The path of the flow file, as the user wrote it.
  public var file: String { plan.origin.file }
  /// The line of the flow's key in the file, counted from 1.
  public var line: Int { plan.origin.line }
  /// The ids of the parent flows; empty in a retry.
  public var parents: [String] { plan.isRetrying ? [] : plan.each?.flows ?? [] }
  /// The host of the resource, as `scheme://host:port`. Flows with the same host share one rate limit.
  public var host: String { plan.request.baseURL.origin }
  /// The output path relative to the root, or `store:table`; nil when the flow does not persist its result.
  public var outputPath: String? { plan.result.target?.text }
  /// The path of the rejected records relative to the root; nil when they are only reported.
  public var rejectedPath: String? { plan.result.rejected?.text }
  /// A hash of the declaration, which changes with every edit that changes requests or records.
  public var version: UInt64 { plan.key }
  /// The maximum duration of the flow, in seconds.
  public var timeout: Double { plan.timeout }
  /// The maximum age of the result in seconds (`expect.freshness`); nil when the flow declares none.
  public var freshness: Int? { plan.records.expectations.freshness.map { Int($0) } }
  /// A short description of the request: method and URL, with secrets masked.
  public var request: String { "\(plan.request.resource.method.rawValue) \(plan.request.shownURL)" }
  /// The kind of credentials (`bearer`, `oauth2`, …); nil without credentials.
  public var auth: String? { plan.auth.kind }
  /// Whether the flow persists refresh tokens of which each can be used only once.
  public var persistsTokens: Bool { plan.auth.persistsTokens }
  /// A digest of the declared credentials; empty without credentials.
  ///
  /// The digest covers secrets. It does not change with the tokens that the flow obtains. A result that was persisted
  /// under one identity must not be used under another identity.
  public var credentialIdentity: String { plan.auth.identity.text }
  /// The remembered state of a flow with `cursor`; nil for other flows.
  public var cursor: CursorAccess? { plan.cursor == nil ? nil : CursorAccess(flow: self) }
  /// The remembered state of an incremental flow.
  ///
  /// Such a flow requests only new records (`cursor`), or only new and changed parents (`only: changed`).
  ///
  /// Nil for other flows.
  public var memory: CursorAccess? { plan.isIncremental ? CursorAccess(flow: self) : nil }
  /// Whether the result is read back from its file, by the flow or for its child flows.
  public var readsResult: Bool { plan.isIncremental || handsOnResult }
  /// A description of the flow, with secrets masked and with the paths of this environment.
  public var explanation: FlowExplanation { plan.explanation(in: environment.state) }

  /// The mapping of the flow's records, as the run uses it. It is available without a request.
  ///
  /// It converts between the JSON value of an element of a response and a record. `Parser.array(of:)` makes a parser
  /// from it. Computed fields are left out, and neither `reshape` nor `where` is applied, because they need more than
  /// the element.
  public var mapping: ModelMapping<Record> { plan.records.schema.mapping }

  /// Looks up the persisted result that the flow would use if it ran now. Opens no connection and writes nothing.
  @concurrent public func persisted() async -> PersistenceLookup {
    var lookup = PersistenceLookup(miss: .disabled)
    if let persistence = persistence({ _ in }) {
      lookup = await PersistenceLookup(of: plan.request.resource, in: persistence)
      lookup.miss = lookup.miss?.mapTexts { masked($0) }
    }
    lookup.bound = await boundWords()
    return lookup
  }

  /// Prepares a run. Call it before the flow or any child flow starts, so that child flows get the new records.
  ///
  /// A child flow that starts before `begin` or `execute` of its parents was called fails. After `begin`, `execute`
  /// must follow, because child flows wait for its end.
  public func begin() { feed?.renew() }

  /// Requests a range of parents for the process that runs the flow.
  ///
  /// - Parameter content: what `RangeExchange.offer` has sent
  /// - Returns: the responses; empty if the content cannot be read. What is missing is requested by the other process.
  @concurrent public func responses(to content: [UInt8]) async -> [UInt8] {
    guard let range = PartitionRange(json: content) else { return [] }
    return await RangeGathering(flow: self).gather(range).bytes
  }

  /// The resource of the flow, as declared.
  ///
  /// With parents, pages or a cursor, it is the part that all requests of the flow have in common.
  public var resource: Resource { plan.request.resource }

  /// The flow as a `ReactorFlow` of `ReactorCore`, which consists of closures.
  ///
  /// A caller can decorate the closures, replace one of them, or run them with a `Reactor`.
  ///
  /// The network closure uses the resource that the caller passes, and the result belongs to that resource. To replace
  /// the HTTP client, use the environment's `TransportOverride`.
  ///
  /// Fetches of one resource at the same time share one pull, and each gets its result. With a `responseModifier`, each
  /// fetch has its own pull. A fetch that begins while the result of an earlier one is not saved yet waits for that
  /// save.
  ///
  /// Child flows get no records from these closures: only `execute` passes them on. The closures of a child flow throw
  /// `.server` unless its parents run in the same environment (`begin`, `execute`).
  ///
  /// The texts of all errors have their secrets masked.
  ///
  /// - Parameters:
  ///   - persistence: replaces the declared path; the records are then held in memory, at most 32 MiB, as for a flow
  ///     that declares no path
  ///   - responseModifier: decides which responses are accepted, instead of the declared `expect.status`
  ///   - observer: called at each step
  public func reactorFlow(
    persistingIn persistence: (any Persistence<RecordSet>)? = nil, responseModifier: ResponseModifier? = nil,
    observer: @escaping FlowObserver = { _ in }
  ) -> ReactorFlow<RecordSet> {
    let observer = masked(observer)
    let declared = detached(persistsElsewhere: persistence != nil)
    var flow = declared.flow(declared.instruments(observer), responseModifier: responseModifier)
    if responseModifier == nil {
      let (plan, pulls, isHeld) = (plan, pulls, persistence != nil)
      flow.networkFlow = { (resource) async throws(ReactorError) -> Fetched<RecordSet> in
        let key = SharedPulls.Key(resource: plan.key(of: resource), isHeld: isHeld)
        return try await pulls.fetch(key, observer: observer) { (observer) async throws(ReactorError) in
          var fetched = try await declared.flow(declared.instruments(observer)).networkFlow(resource)
          if case .staged(let staged) = fetched.model.content {
            fetched.model = fetched.model.restaged(as: SharedResult(staged, readsBySaving: !plan.result.waits))
          }
          return fetched
        }
      }
    }
    guard let persistence else { return flow }
    return flow.persisting(in: persistence)
  }

  /// The flow without child flows. If its result is not persisted, it is held in memory.
  ///
  /// - Parameter persistsElsewhere: whether the caller persists the result itself, so that the declared file or table
  ///   is not used
  func detached(persistsElsewhere: Bool = false) -> DeclaredFlow {
    var plan = plan
    if persistsElsewhere { plan.result.targets = [] }
    plan.holdsRecords = plan.result.target == nil
    plan.handsOnRecords = false
    return DeclaredFlow(plan, in: environment, isDetached: true)
  }

  /// Builds a reactor for the flow, with the declared settings for saving the result.
  public func reactor(
    _ flow: ReactorFlow<RecordSet>? = nil, queue: SaveQueue = SaveQueue(), observer: @escaping FlowObserver = { _ in }
  ) -> Reactor<RecordSet> {
    reactor(running: flow ?? reactorFlow(observer: observer), queue, masked(observer))
  }
}

/// Properties that determine how a run works.
extension DeclaredFlow {
  /// Whether child flows get the records as they arrive.
  ///
  /// False when the run has only a part of the result: child flows get the whole result.
  var streamsRecords: Bool { feed != nil && !handsOnResult }

  /// Whether child flows get the saved result instead of the run's records.
  ///
  /// They get the saved result when one run may have only a part of all records.
  var handsOnResult: Bool { feed != nil && (plan.result.mode != .replace || plan.mergesNew) }

  /// Whether the run ignores the persisted result.
  var isForced: Bool { plan.isRetrying || plan.isFullRefresh || plan.since != nil }

  /// Builds a reactor that runs the closures of a `ReactorFlow`.
  ///
  /// - Parameter observer: gets events with masked texts
  func reactor(
    running flow: ReactorFlow<RecordSet>, _ queue: SaveQueue, _ observer: @escaping FlowObserver
  ) -> Reactor<RecordSet> {
    Reactor(flow: flow, configuration: configuration, queue: queue, name: id, instruments: instruments(observer))
  }

  func instruments(_ observer: @escaping FlowObserver) -> FlowInstruments {
    FlowInstruments(stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
  }

  var configuration: CoreConfiguration {
    CoreConfiguration(
      shouldFailWhenSaveToPersistenceFails: plan.result.failsOnSaveError,
      shouldWaitForSaveToPersistence: plan.result.waits || handsOnResult)
  }

  /// The variant of the flow that sends the request for a first run. It is used without a position and when the
  /// position is too old. Nil if the usual request is sent.
  ///
  /// - Parameter position: the remembered value of the cursor, of the flow or of one parent
  func inFirstRun(_ position: String?) -> DeclaredFlow? {
    guard let firstRun, plan.since == nil, !plan.isRetrying else { return nil }
    return position.map { isTooOld($0) } ?? true ? firstRun : nil
  }

  /// Whether a position is so old that the server perhaps no longer has all changes since then.
  private func isTooOld(_ position: String) -> Bool {
    guard let age = plan.firstRun?.cursor?.againAfter, let kind = plan.cursor?.kind,
      let oldest = Cursor.Value.instant(environment.wallClock.now).moved(by: age, backwards: true)
    else { return false }
    return Cursor.Value(position, of: kind).map { $0 < oldest } ?? false
  }
}

extension FlowEnvironment {
  /// Creates a flow for each plan, in the order of the plans, which runs in this environment. Opens nothing.
  ///
  /// Flows with the same authorization share a session.
  public func flows(for plans: [FlowPlan]) -> [DeclaredFlow] { plans.map { DeclaredFlow($0, in: self) } }
}
