internal import FlowModel
public import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// Runs the flow once.
  ///
  /// The run waits for the records of the parent flows, so the parent flows must run too.
  ///
  /// - Parameters:
  ///   - mode: whether the run may use the persisted result and the network
  ///   - queue: takes the save when the flow does not wait for it; the caller must drain the queue
  ///   - observer: called at each step of the run
  /// - Returns: how the run went; the report of a persisted result has the number of its records
  @concurrent public func execute(
    _ mode: FetchMode, queue: SaveQueue, observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FetchSummary {
    let began = environment.wallClock.milliseconds
    do throws(ReactorError) {
      var fetched = try await run(mode, queue, plan.masks.reduce(observer) { $1.masked($0) })
      await handOn(fetched)
      // The records of a persisted result were counted when it was written.
      if fetched.source == .persistence { fetched.report = PruneReport(kept: fetched.model.count) }
      if let shortfall = fetched.shortfall {
        fetched.shortfall = plan.masks.reduce(shortfall) { $1.masked($0) }
      }
      return fetched.summary
    } catch {
      let error = plan.origin.locations.located(plan.masks.reduce(error) { $1.masked($0) })
      feed?.writer.fail(.parentFailed(plan.id, error))
      if mode != .offline { await noteFailure(error, since: began) }
      throw error
    }
  }

  /// Whether child flows get the records as they arrive.
  ///
  /// False when the run has only a part of the result: child flows get the whole result.
  var streamsRecords: Bool { feed != nil && !handsOnResult }

  /// Whether child flows get the saved result instead of the run's records.
  ///
  /// One run may have only a part of the result.
  var handsOnResult: Bool { feed != nil && (plan.result.mode != .replace || plan.mergesNew) }

  /// Passes the result on to the child flows and ends their feed.
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
    if mode != .offline {
      do throws(ReactorError) {
        try await completeCopies(observer)
      } catch {
        observer(.failed(.save, error))
        if error.kind == .cancelled || plan.result.failsOnSaveError { throw error }
      }
    }
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(plan.request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(plan.request.resource)
    case .offline: return try await fetchOffline(reactor, observer)
    }
  }

  /// Whether the run ignores the persisted result.
  var isForced: Bool { plan.isRetrying || plan.isFullRefresh || plan.since != nil }

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
    offline.flow.networkFlow = { (_) async throws(ReactorError) -> Fetched<RecordSet> in
      throw ReactorError.noConnectivity
    }
    do throws(ReactorError) {
      return try await offline.fetch(plan.request.resource)
    } catch {
      guard error.kind == .noConnectivity else { throw error }
      let read = try await offline.flow.loadFromPersistenceFlow(plan.request.resource)
      guard case .miss(let reason) = read else { throw error }
      throw ReactorError.persistence("offline, and \(reason)", path: plan.result.target?.text)
    }
  }

  /// The three closures of the flow.
  func flow(
    _ instruments: FlowInstruments, asksForChanges: Bool = true, responseModifier: ResponseModifier? = nil
  ) -> ReactorFlow<RecordSet> {
    let began = environment.wallClock.milliseconds
    let flow = createFlow(
      network: { () throws(ReactorError) in
        let network = try self.network(instruments)
        return responseModifier.map { network.with($0.acceptingRuled) } ?? network
      },
      pull: { (resource, network) async throws(ReactorError) -> Fetched<RecordSet> in
        try await self.asking(resource).fetch(network, instruments, asksForChanges: asksForChanges, since: began)
      })
    guard let persistence = persistence(instruments.observer) else { return flow }
    return flow.persisting(in: persistence)
  }

  /// The flow with another resource instead of the declared one. The result belongs to that other resource.
  private func asking(_ resource: Resource) -> DeclaredFlow {
    resource == plan.request.resource ? self : DeclaredFlow(plan.asking(resource), in: environment)
  }

  /// The persistence of the result; nil when the flow persists nothing.
  ///
  /// An offline run cannot request new records, so its result is never incremental.
  func persistence(_ observer: @escaping FlowObserver, isOffline: Bool = false) -> (any ResultPersistence)? {
    let first = firstPersistence(observer, isOffline: isOffline)
    guard !plan.result.copies.isEmpty else { return first }
    return first.map { CopiedPersistence(first: $0, flow: self, observer: observer) }
  }

  private func firstPersistence(_ observer: @escaping FlowObserver, isOffline: Bool) -> (any ResultPersistence)? {
    if let table = tableResult {
      return TablePersistence(
        result: table, plan: plan, key: { self.plan.key(of: $0) },
        expiresAfter: plan.result.expiresAfter.map { .seconds($0.value) },
        isIncremental: plan.isIncremental && !isOffline, credentials: plan.auth.digest, wallClock: environment.wallClock
      )
    }
    guard let path = plan.result.target?.path else { return nil }
    return InDiskPersistence(
      root: environment.root, path: { _ in path.output }, key: { self.plan.key(of: $0) },
      form: RecordSetForm(
        path: path, root: environment.root, schema: plan.records.schema, isAddition: plan.isRetrying,
        observer: observer
      ).form,
      expiresAfter: plan.result.expiresAfter.map { .seconds($0.value) },
      isIncremental: plan.isIncremental && !isOffline, credentials: plan.auth.digest, wallClock: environment.wallClock)
  }
}
