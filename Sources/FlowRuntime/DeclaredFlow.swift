internal import Authorization
internal import FlowTerms
internal import HTTPTransport
internal import ReactorCore
internal import Records
internal import Storage

/// A declared flow joined with its connection and its files: the three closures of a `ReactorFlow` over records.
///
/// A class, because each of its closures holds it, and thousands wait in a plan.
final class DeclaredFlow: Sendable {
  let plan: FlowPlan
  let environment: FlowEnvironment
  /// How connections behave, what they have to know of the credentials included.
  let options: HTTPOptions
  /// Nil without credentials.
  let authorization: RequestAuthorization?
  /// The way to the flows that take this one's records; nil when none does.
  let feed: RecordFeed?
  let messageMask = MessageMask()

  init(_ plan: FlowPlan, in environment: FlowEnvironment) {
    self.plan = plan
    self.environment = environment
    options = plan.auth.options(plan.transfer.options, environment.secrets)
    authorization = plan.auth.authorization(of: plan, in: environment)
    feed = plan.handsOnRecords ? environment.feed(of: plan.id) : nil
  }

  /// What would be found kept now.
  func look() async -> PersistenceLookup {
    var look = PersistenceLookup(miss: .disabled)
    if let persistence = persistence({ _ in }) {
      look = await PersistenceLookup(of: plan.request.resource, in: persistence)
    }
    look.bound = await boundWords()
    return look
  }

  /// Runs once.
  func execute(
    _ mode: FetchMode, _ queue: SaveQueue, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    do throws(ReactorError) {
      let fetched = try await run(mode, queue, plan.request.mask?.masked(observer) ?? observer)
      if feed != nil { await handOn(fetched) }
      return FlowOutcome(fetched)
    } catch {
      throw failed(error)
    }
  }

  /// The error with its place, told to those who take the records.
  private func failed(_ error: ReactorError) -> ReactorError {
    let error = plan.origin.places.located(plan.request.mask?.masked(error) ?? error)
    feed?.writer.fail(.parentFailed(plan.id, error))
    return error
  }

  /// Whether the records go to those that take them as they come. They do not where they are only a part of the result:
  /// children see all of it.
  var streamsRecords: Bool { feed != nil && !handsOnResult }

  /// Whether the result goes to those that take it when it is saved, because only then all of it is there.
  private var handsOnResult: Bool { feed != nil && plan.result.mode != .replace }

  /// Whether the result is read back from its file.
  var readsResult: Bool { plan.isIncremental || handsOnResult }

  /// Ends what is handed on.
  private func handOn(_ fetched: Fetched<RecordSet>) async {
    guard let feed else { return }
    if handsOnResult, case .failedTolerated(let error) = fetched.save {
      feed.writer.fail(.parentFailed(plan.id, error))
    } else if fetched.source == .network, !handsOnResult {
      feed.writer.finish(short: fetched.shortfall)
    } else {
      await feed.hand(on: fetched.model, short: fetched.shortfall)
    }
  }

  private func run(
    _ mode: FetchMode, _ queue: SaveQueue, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let reactor = reactor(mode, queue, observer)
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(plan.request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(plan.request.resource)
    case .offline: return try await fetchOffline(reactor, observer)
    }
  }

  /// Whether what is persisted is not looked at.
  var isForced: Bool { plan.isRetrying || plan.isFullRefresh || plan.cursor?.since != nil }

  private func reactor(_ mode: FetchMode, _ queue: SaveQueue, _ observer: @escaping FlowObserver) -> Reactor<RecordSet>
  {
    let instruments = instruments(observer)
    return Reactor(
      flow: flow(instruments, asksForChanges: mode != .fresh), configuration: savingRules, queue: queue, name: plan.id,
      instruments: instruments)
  }

  func instruments(_ observer: @escaping FlowObserver) -> FlowInstruments {
    FlowInstruments(stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
  }

  /// What is done about saving.
  var savingRules: CoreConfiguration {
    CoreConfiguration(
      shouldFailWhenSaveToPersistenceFails: plan.result.failsOnSaveError,
      shouldWaitForSaveToPersistence: plan.result.waits || handsOnResult)
  }

  private func fetchOffline(
    _ reactor: Reactor<RecordSet>, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    var offline = reactor
    if let persistence = persistence(observer, isOffline: true) {
      offline.flow = offline.flow.persisting(in: persistence)
    }
    offline.flow.networkFlow = { (_) async throws(ReactorError) -> Parsed<RecordSet> in
      throw ReactorError.noConnectivity
    }
    do throws(ReactorError) {
      return try await offline.fetch(plan.request.resource)
    } catch {
      guard error.kind == .noConnectivity else { throw error }
      let read = try await offline.flow.loadFromPersistenceFlow(plan.request.resource)
      guard case .miss(let reason) = read else { throw error }
      throw ReactorError.persistence("offline, and \(reason)", path: plan.result.output?.text)
    }
  }

  /// The three closures.
  func flow(
    _ instruments: FlowInstruments, asksForChanges: Bool = true, responseModifier: ResponseModifier? = nil
  ) -> ReactorFlow<RecordSet> {
    let began = environment.wallClock.milliseconds
    return createFlow(
      network: { () throws(ReactorError) in
        let network = try self.network(instruments)
        return responseModifier.map { network.with($0.acceptingRuled) } ?? network
      },
      persistence: persistence(instruments.observer),
      pull: { (resource, network) async throws(ReactorError) -> Parsed<RecordSet> in
        try await self.asking(resource).fetch(network, instruments, asksForChanges: asksForChanges, since: began)
      })
  }

  /// The flow with another resource than the declared one, whose result belongs to that resource.
  private func asking(_ resource: Resource) -> DeclaredFlow {
    guard resource != plan.request.resource else { return self }
    return DeclaredFlow(plan.asking(resource), in: environment)
  }

  /// Where the result is kept; nil when it is not. Offline nobody can be asked for what is new.
  private func persistence(
    _ observer: @escaping FlowObserver, isOffline: Bool = false
  ) -> InDiskPersistence<RecordSet>? {
    guard let output = plan.result.output else { return nil }
    return InDiskPersistence(
      root: environment.root, path: { _ in output }, key: { self.plan.key(of: $0) },
      form: RecordSetForm(
        schema: plan.records.schema, isAddition: plan.isRetrying, wallClock: environment.wallClock, observer: observer
      ).form,
      expiresAfter: plan.result.expiresAfter.map { .seconds($0) },
      isIncremental: plan.isIncremental && !isOffline, credentials: plan.auth.digest, wallClock: environment.wallClock)
  }

  /// The requests, and their records read on their way to the staged result.
  ///
  /// - Parameter began: when the flow's run began, in milliseconds since 1970
  private func fetch(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    // The path is taken before the request: a second run on it is refused before it costs anything.
    var spool: RecordSpool?
    if let output = plan.result.output {
      spool = try await RecordSpool.open(
        output, in: environment.root, isTolerant: !plan.result.failsOnSaveError,
        waiting: pathWait(instruments))
      if plan.isParent, let other = await resultOfAnotherRun(spool, since: began) { return other }
    }
    var letters: RejectedRecords?
    do throws(ReactorError) {
      if plan.result.rejected != nil { letters = try await openRejected() }
      return try await pull(
        by: network, into: spool, letters, instruments,
        unless: asksForChanges && spool?.hasOlder ?? false ? await kept(spool) : nil,
        plan.isIncremental ? try await known() : nil)
    } catch {
      await spool?.discard()
      await letters?.discard()
      throw error
    }
  }

  private func openRejected() async throws(ReactorError) -> RejectedRecords? {
    guard let rejected = plan.result.rejected else { return nil }
    return try await RejectedRecords.open(
      rejected, in: environment.root, of: plan.id, isStrict: plan.records.isStrict, keeping: keptRejected,
      mask: { self.masked($0) })
  }

  /// The result that is kept and may still be right.
  private func kept(_ spool: RecordSpool?) async -> PersistedResult? {
    guard let spool, plan.canAskForChanges else { return nil }
    // A version that one user was told of is not to be asked for by another.
    return await spool.kept { [plan] in plan.mayUse($0) && $0.provenance.credentials == plan.auth.digest }
  }
}

extension FlowOutcome {
  init(_ fetched: Fetched<RecordSet>) {
    var report = fetched.report
    // A persisted result was counted when it was made.
    if fetched.source == .persistence { report = PruneReport(kept: fetched.model.count) }
    self.init(
      source: fetched.source, miss: fetched.miss, report: report, pages: fetched.pages, bytes: fetched.bytes,
      save: fetched.save, timings: fetched.timings)
  }
}
