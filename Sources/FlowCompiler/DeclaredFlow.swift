internal import Authorization
internal import Expressions
internal import Fixtures
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import SourceDiagnostics
internal import Storage
internal import Synchronization

/// A declared flow joined with its connection and its files: the three closures of a `ReactorFlow` over records.
///
/// A class, because each of its closures holds it, and thousands wait in a plan.
final class DeclaredFlow: Sendable {
  let declaration: FlowDeclaration
  let request: ResolvedRequest
  let schema: CompiledSchema
  let output: OutputPath?
  /// Where rejected records go.
  let rejected: OutputPath?
  /// What a run allows to be rejected beyond the flow's own expectations.
  let allowedPrune: AllowedPrune?
  let options: HTTPOptions
  let auth: ResolvedAuth
  let environment: FlowEnvironment
  let timeout: Double
  /// The way to the flows that take this one's records; nil when none does.
  let feed: RecordFeed?
  /// Whether other flows take its records, in this run or in another one.
  let isParent: Bool
  /// What there is one request for each of, as far as it is known.
  let sources: ParentSources
  /// What templates may use that is known before the flow runs.
  let scope: ResolutionScope
  /// How only what is new is asked for; nil asks for everything.
  let cursor: ResolvedCursor?
  /// Encodes the records that are sent; nil where none are, or they are sent as they are kept.
  let encoder: PayloadEncoder?
  /// Whether only what came to nothing before is asked for again.
  let isRetrying: Bool
  /// Whether what is remembered is forgotten, and the result begins anew.
  let isFullRefresh: Bool
  /// Asked for several times in a run, and the same each time.
  private let knownResourceKey = Mutex<UInt64?>(nil)
  let messageMask = MessageMask()

  init(
    declaration: FlowDeclaration, request: ResolvedRequest, schema: CompiledSchema, output: OutputPath?,
    rejected: OutputPath?, allowedPrune: AllowedPrune?, options: HTTPOptions, auth: ResolvedAuth,
    environment: FlowEnvironment, timeout: Double, feed: RecordFeed?, isParent: Bool, sources: ParentSources,
    scope: ResolutionScope, cursor: ResolvedCursor?, encoder: PayloadEncoder?, isRetrying: Bool, isFullRefresh: Bool
  ) {
    self.declaration = declaration
    self.request = request
    self.schema = schema
    self.output = output
    self.rejected = rejected
    self.allowedPrune = allowedPrune
    self.options = options
    self.auth = auth
    self.environment = environment
    self.timeout = timeout
    self.feed = feed
    self.isParent = isParent
    self.sources = sources
    self.scope = scope
    self.cursor = cursor
    self.encoder = encoder
    self.isRetrying = isRetrying
    self.isFullRefresh = isFullRefresh
  }

  /// What would be found kept now.
  func look() async -> PersistenceLook {
    var look = PersistenceLook(miss: .disabled)
    if let persistence = persistence({ _ in }) { look = await PersistenceLook(of: request.resource, in: persistence) }
    look.bound = await boundWords()
    return look
  }

  /// Runs once.
  func execute(
    _ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    do throws(ReactorError) {
      let fetched = try await run(mode, lane, request.mask?.masked(observer) ?? observer)
      if feed != nil { await handOn(fetched) }
      return FlowOutcome(fetched)
    } catch {
      throw failed(error)
    }
  }

  /// The error with its place, told to those who take the records.
  @inline(never)
  private func failed(_ error: ReactorError) -> ReactorError {
    let error = (request.mask?.masked(error) ?? error).located(in: declaration)
    feed?.writer.fail(.parentFailed(declaration.id, error))
    return error
  }

  /// Whether the records go to those that take them as they come. They do not where they are only a part of the result:
  /// children see all of it.
  var streamsRecords: Bool { feed != nil && !handsOnResult }

  /// Whether the result goes to those that take it when it is saved, because only then all of it is there.
  private var handsOnResult: Bool { feed != nil && declaration.persistence?.mode ?? .replace != .replace }

  /// Whether the result is read back from its file.
  var readsResult: Bool { isIncremental || handsOnResult }

  /// Ends what is handed on.
  @inline(never)
  private func handOn(_ fetched: Fetched<RecordSet>) async {
    guard let feed else { return }
    if handsOnResult, case .failedTolerated(let error) = fetched.save {
      feed.writer.fail(.parentFailed(declaration.id, error))
    } else if fetched.source == .network, !handsOnResult {
      feed.writer.finish(short: fetched.shortfall)
    } else {
      await feed.hand(on: fetched.model, short: fetched.shortfall)
    }
  }

  private func run(
    _ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let reactor = reactor(mode, lane, observer)
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(request.resource)
    case .offline: return try await fetchOffline(reactor, observer)
    }
  }

  /// Whether what is persisted is not looked at.
  var isForced: Bool { isRetrying || isFullRefresh || cursor?.since != nil }

  @inline(never)
  private func reactor(_ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver) -> Reactor<RecordSet> {
    let instruments = FlowInstruments(
      stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
    return Reactor(
      flow: flow(instruments, asksForChanges: mode != .fresh),
      configuration: CoreConfiguration(
        shouldFailWhenSaveToPersistenceFails: declaration.persistence?.failOnSaveError ?? true,
        shouldWaitForSaveToPersistence: declaration.wait || handsOnResult),
      lane: lane, name: declaration.id, instruments: instruments)
  }

  @inline(never)
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
      return try await offline.fetch(request.resource)
    } catch {
      guard error.kind == .noConnectivity else { throw error }
      let read = try await offline.flow.loadFromPersistenceFlow(request.resource)
      guard case .miss(let reason) = read else { throw error }
      throw ReactorError.persistence("offline, and \(reason)", path: output?.text)
    }
  }

  /// The three closures.
  private func flow(_ instruments: FlowInstruments, asksForChanges: Bool) -> ReactorFlow<RecordSet> {
    let began = environment.wallClock.milliseconds
    let flow = ReactorFlow<RecordSet>(networkFlow: { (_) async throws(ReactorError) -> Parsed<RecordSet> in
      try await self.fetch(try self.network(instruments), instruments, asksForChanges: asksForChanges, since: began)
    })
    guard let persistence = persistence(instruments.observer) else { return flow }
    return flow.persisting(in: persistence)
  }

  /// Where the result is kept; nil when it is not. Offline nobody can be asked for what is new.
  private func persistence(
    _ observer: @escaping FlowObserver, isOffline: Bool = false
  ) -> InDiskPersistence<RecordSet>? {
    guard let output else { return nil }
    return InDiskPersistence(
      root: environment.root, path: { _ in output }, key: { self.key(of: $0) },
      form: RecordSetForm(
        schema: schema, isAddition: isRetrying, wallClock: environment.wallClock, observer: observer
      ).form,
      expiresAfter: (declaration.persistence?.expiresAfter?.value).map { .seconds($0) },
      isIncremental: isIncremental && !isOffline, credentials: credentials, wallClock: environment.wallClock)
  }

  /// What the result of a resource belongs to, hashed: the declaration, and what a caller from Swift changed of its
  /// resource.
  private func key(of resource: Resource) -> UInt64 {
    guard resource != request.resource else { return resourceKey }
    return UInt64(resource.fingerprint(scope: String(resourceKey)).prefix(16), radix: 16) ?? resourceKey
  }

  /// The way to the server, with its check and its judgement of statuses.
  private func network(_ instruments: FlowInstruments) throws(ReactorError) -> Network {
    let accepted = declaration.expect.status
    let connection = try connection()
    return Network(
      connection: patient(auth.around(connection), instruments),
      reachability: declaration.reachability ? connection.reachability : AlwaysReachable(),
      responseModifier: (accepted.isEmpty
        ? ResponseModifier.success : .accepting { status in accepted.contains { $0.contains(status) } }).orMeaning,
      instruments: instruments)
  }

  /// The way to the server: the innermost connection, on which everything else is built.
  private func connection() throws(ReactorError) -> any Connection {
    try environment.connection(of: declaration.id, name: "base", baseURL: request.baseText, options)
  }

  /// The requests, and their records read on their way to the staged result.
  ///
  /// - Parameter began: when the flow's run began, in milliseconds since 1970
  @inline(never)
  private func fetch(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool, since began: Int64
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    // The path is taken before the request: a second run on it is refused before it costs anything.
    var spool: RecordSpool?
    if let output {
      spool = try await RecordSpool.open(
        output, in: environment.root, isTolerant: !(declaration.persistence?.failOnSaveError ?? true),
        waiting: pathWait(instruments))
      if isParent, let other = await resultOfAnotherRun(spool, since: began) { return other }
    }
    var letters: DeadLetters?
    do throws(ReactorError) {
      if rejected != nil { letters = try await openLetters() }
      return try await pull(
        by: network, into: spool, letters, instruments,
        unless: asksForChanges && spool?.hasOlder ?? false ? await kept(spool) : nil,
        isIncremental ? try await known() : nil)
    } catch {
      await spool?.discard()
      await letters?.discard()
      throw error
    }
  }

  @inline(never)
  private func openLetters() async throws(ReactorError) -> DeadLetters? {
    guard let rejected else { return nil }
    return try await DeadLetters.open(
      rejected, in: environment.root, of: declaration.id, isStrict: !declaration.prune, keeping: keptLetters,
      mask: { self.masked($0) })
  }

  /// The result that is kept and may still be right.
  @inline(never)
  private func kept(_ spool: RecordSpool?) async -> KeptResult? {
    guard let spool, canAskForChanges else { return nil }
    let (resource, schema, credentials) = (resourceKey, schema.fingerprint, credentials)
    return await spool.kept {
      $0.provenance.resource == resource && $0.provenance.schema == schema
        // A version that one user was told of is not to be asked for by another.
        && $0.provenance.credentials == credentials
    }
  }

  /// What a persisted result belongs to, hashed.
  var resourceKey: UInt64 {
    knownResourceKey.withLock { known in
      let key = known ?? self.identity
      known = key
      return key
    }
  }
}

extension FlowOutcome {
  @inline(never)
  init(_ fetched: Fetched<RecordSet>) {
    var report = fetched.report
    // A persisted result was counted when it was made.
    if fetched.source == .persistence { report = PruneReport(kept: fetched.model.count) }
    self.init(
      source: fetched.source, miss: fetched.miss, report: report, pages: fetched.pages, bytes: fetched.bytes,
      save: fetched.save, timings: fetched.timings)
  }
}
