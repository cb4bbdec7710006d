internal import FlowTerms
public import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Runs the flow once. Its parent flows have to run too: it waits for their records.
  ///
  /// - Parameters:
  ///   - mode: whether the persisted result may be used, and the network
  ///   - queue: takes the save when the flow does not wait for it; the caller drains it
  ///   - observer: called for each step
  @concurrent public func execute(
    _ mode: FetchMode, queue: SaveQueue, observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    do throws(ReactorError) {
      let fetched = try await run(mode, queue, plan.request.mask?.masked(observer) ?? observer)
      await handOn(fetched)
      return FlowOutcome(fetched)
    } catch {
      let error = plan.origin.locations.located(plan.request.mask?.masked(error) ?? error)
      feed?.writer.fail(.parentFailed(plan.id, error))
      throw error
    }
  }

  /// Whether the records go to child flows as they arrive. They do not where they are only a part of the result:
  /// children see all of it.
  var streamsRecords: Bool { feed != nil && !handsOnResult }

  /// Whether child flows get the saved result, because a run may have only a part of it.
  var handsOnResult: Bool { feed != nil && plan.result.mode != .replace }

  /// Completes what child flows get.
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
    let reactor = reactor(
      flow(instruments(observer), asksForChanges: mode != .fresh), queue: queue, observer: observer)
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(plan.request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(plan.request.resource)
    case .offline: return try await fetchOffline(reactor, observer)
    }
  }

  /// Whether the persisted result is not used.
  var isForced: Bool { plan.isRetrying || plan.isFullRefresh || plan.cursor?.since != nil }

  func instruments(_ observer: @escaping FlowObserver) -> FlowInstruments {
    FlowInstruments(stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
  }

  var configuration: CoreConfiguration {
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
    resource == plan.request.resource ? self : DeclaredFlow(plan.asking(resource), in: environment)
  }

  /// Where the result is persisted; nil without a path. Offline, nothing new can be asked for.
  func persistence(_ observer: @escaping FlowObserver, isOffline: Bool = false) -> InDiskPersistence<RecordSet>? {
    guard let output = plan.result.output?.output else { return nil }
    return InDiskPersistence(
      root: environment.root, path: { _ in output }, key: { self.plan.key(of: $0) },
      form: RecordSetForm(
        schema: plan.records.schema, isAddition: plan.isRetrying, wallClock: environment.wallClock, observer: observer
      ).form,
      expiresAfter: plan.result.expiresAfter.map { .seconds($0) },
      isIncremental: plan.isIncremental && !isOffline, credentials: plan.auth.digest, wallClock: environment.wallClock)
  }
}
