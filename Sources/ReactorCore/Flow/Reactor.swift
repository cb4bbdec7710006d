/// Runs a flow: loads the persisted result, else fetches from the network and saves (upstream's `Reactor`).
///
/// ```swift
/// let reactor = Reactor<[Article]>(flow: createFlow(connection: connection))
/// let articles = try await reactor.fetch(Resource(path: "/articles", method: .GET)).model
/// ```
///
/// A fetch never runs on the caller's actor. Fetches are independent of each other. They share only the flow's
/// persistence and the save queue.
public struct Reactor<Model: Sendable>: Sendable {
  /// The closures that the reactor runs.
  public var flow: ReactorFlow<Model>
  /// The flags for saving.
  public var configuration: any CoreConfigurable
  /// The queue of the saves that no fetch waits for. Its owner must drain it before the process ends.
  public let queue: SaveQueue
  /// The flow's name in reports.
  public let name: String
  private let instruments: FlowInstruments

  /// Builds a reactor.
  ///
  /// - Parameter queue: the save queue; a new one by default. Its owner must drain it before the process ends.
  /// - Parameter name: the flow's name in reports.
  public init(
    flow: ReactorFlow<Model>, configuration: any CoreConfigurable = CoreConfiguration(), queue: SaveQueue = SaveQueue(),
    name: String = "", instruments: FlowInstruments = FlowInstruments()
  ) {
    self.flow = flow
    self.configuration = configuration
    self.queue = queue
    self.name = name
    self.instruments = instruments
  }

  /// Returns the persisted result if it can be used; otherwise fetches from the network.
  ///
  /// A result from the network includes the reason why no persisted result was used.
  ///
  /// A load that fails counts as a miss (`.unreadable`). A cancelled load ends the fetch, and no request is sent.
  @concurrent public func fetch(_ resource: Resource) async throws(ReactorError) -> Fetched<Model> {
    try ReactorError.checkCancellation()
    var timings = FlowTimings()
    let miss: PersistenceMiss
    let start = instruments.start(.load)
    do throws(ReactorError) {
      let read = try await flow.loadFromPersistenceFlow(resource)
      timings.load = instruments.finish(.load, since: start)
      switch read {
      case .hit(let model): return Fetched(model, FetchSummary(source: .persistence, timings: timings))
      case .miss(let reason): miss = reason
      }
    } catch {
      timings.load = instruments.stopwatch.reading() - start
      let error = error.unlessCancelled
      instruments.observer(.failed(.load, error))
      if error.kind == .cancelled { throw error }
      miss = .unreadable(error.description)
    }
    try ReactorError.checkCancellation()
    instruments.observer(.missed(miss))
    return try await networkThenSave(resource, miss: miss, timings: timings)
  }

  /// Fetches from the network and saves as configured; the persisted result is not read.
  @concurrent public func fetchFromNetwork(_ resource: Resource) async throws(ReactorError) -> Fetched<Model> {
    try ReactorError.checkCancellation()
    return try await networkThenSave(resource, miss: .skipped, timings: FlowTimings())
  }

  /// Fetches as `fetch` does, with another persistence for this call; nil persists nothing.
  public func fetch(
    _ resource: Resource, persistingIn persistence: (any Persistence<Model>)?
  ) async throws(ReactorError) -> Fetched<Model> {
    var reactor = self
    reactor.flow = flow.withoutPersistence()
    if let persistence { reactor.flow = reactor.flow.persisting(in: persistence) }
    return try await reactor.fetch(resource)
  }

  private func networkThenSave(
    _ resource: Resource, miss: PersistenceMiss, timings: FlowTimings
  ) async throws(ReactorError) -> Fetched<Model> {
    try await checkSave(resource)
    var fetched: Fetched<Model>
    do throws(ReactorError) {
      fetched = try await flow.networkFlow(resource)
    } catch {
      throw error.unlessCancelled
    }
    try ReactorError.checkCancellation()
    fetched.timings.load = timings.load
    if fetched.source == .persistence { return fetched }
    fetched.miss = miss
    if !flow.persistsResults { return fetched }
    if fetched.report.isWhollyRejected {
      fetched.save = .withheld
      instruments.observer(.saveWithheld)
    } else if configuration.shouldWaitForSaveToPersistence {
      try await save(&fetched, resource)
    } else {
      await deferSave(of: fetched.model, resource)
      fetched.save = .deferred
    }
    return fetched
  }

  /// Throws before the request if its result could not be saved and this would make the fetch fail.
  private func checkSave(_ resource: Resource) async throws(ReactorError) {
    guard configuration.shouldWaitForSaveToPersistence, configuration.shouldFailWhenSaveToPersistenceFails,
      let check = flow.checkSave
    else { return }
    do throws(ReactorError) {
      try await check(resource)
    } catch {
      let error = error.unlessCancelled
      instruments.observer(.failed(.save, error))
      throw error
    }
  }

  private func save(_ fetched: inout Fetched<Model>, _ resource: Resource) async throws(ReactorError) {
    let start = instruments.start(.save)
    do throws(ReactorError) {
      fetched.model = try await flow.saveToPersistenceFlow(fetched.model, resource)
      fetched.timings.save = instruments.finish(.save, since: start)
      fetched.save = .saved
    } catch {
      fetched.timings.save = instruments.stopwatch.reading() - start
      let error = error.unlessCancelled
      instruments.observer(.failed(.save, error))
      if error.kind == .cancelled || configuration.shouldFailWhenSaveToPersistenceFails { throw error }
      fetched.save = .failedTolerated(error)
    }
  }

  private func deferSave(of model: Model, _ resource: Resource) async {
    let save = flow.saveToPersistenceFlow
    let instruments = instruments
    instruments.observer(.saveDeferred)
    await queue.add(name, for: resource) { () async throws(ReactorError) in
      let start = instruments.start(.save)
      do throws(ReactorError) {
        _ = try await save(model, resource)
        _ = instruments.finish(.save, since: start)
      } catch {
        instruments.observer(.failed(.save, error))
        throw error
      }
    }
  }
}
