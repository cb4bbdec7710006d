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

/// A declared flow joined with its connection and its files: the three closures of a `ReactorFlow` over records.
struct DeclaredFlow: Sendable {
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
  /// The files among what there is one request for each of, by their place there.
  let files: [Int: ParentFile]
  /// What templates may use that is known before the flow runs.
  let scope: ResolutionScope
  /// How only what is new is asked for; nil asks for everything.
  let cursor: ResolvedCursor?
  /// The fields that tell the records of a parent apart, by the parent's name, where its schema has some.
  let parentKeys: [String: [String]]

  /// The flow as the runner sees it.
  var compiled: CompiledFlow {
    let start = declaration.range.start
    // One copy that all closures share: thousands of flows wait in a plan.
    let shared = Shared(self)
    return CompiledFlow(
      id: declaration.id, name: declaration.name, description: declaration.description, tags: declaration.tags,
      file: declaration.range.file.path, line: start.line, parents: declaration.parents,
      host: request.baseURL.origin, outputPath: output?.text, rejectedPath: rejected?.text,
      timeout: timeout, request: "\(request.resource.method.rawValue) \(request.shownURL)", auth: auth.kind,
      credentialIdentity: auth.identity.text,
      explain: { shared.flow.explanation },
      look: {
        let flow = shared.flow
        var look =
          await flow.persistence({ _ in })?.look(for: flow.request.resource) ?? PersistenceLook(miss: .disabled)
        look.bound = await flow.boundWords()
        return look
      },
      cursor: cursor == nil ? nil : CursorAccess(flow: self),
      prepare: { shared.flow.feed?.renew() },
      run: { (mode, lane, observer) async throws(ReactorError) -> FlowOutcome in
        try await shared.flow.execute(mode, lane, observer)
      })
  }

  private final class Shared: Sendable {
    let flow: DeclaredFlow

    init(_ flow: DeclaredFlow) { self.flow = flow }
  }

  private func execute(
    _ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    do throws(ReactorError) {
      let fetched = try await run(mode, lane, request.mask?.masked(observer) ?? observer)
      await handOn(fetched)
      return FlowOutcome(fetched)
    } catch {
      let error = (request.mask?.masked(error) ?? error).located(in: declaration)
      feed?.writer.fail(.parentFailed(declaration.id, error))
      throw error
    }
  }

  /// Ends what is handed on; records from the network went there as they came.
  private func handOn(_ fetched: Fetched<RecordSet>) async {
    guard let feed else { return }
    switch fetched.source {
    case .persistence, .notModified: await feed.hand(on: fetched.model)
    case .network: feed.writer.finish()
    }
  }

  private func run(
    _ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> Fetched<RecordSet> {
    let instruments = FlowInstruments(
      stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
    let reactor = Reactor(
      flow: flow(instruments, asksForChanges: mode != .fresh),
      configuration: CoreConfiguration(
        shouldFailWhenSaveToPersistenceFails: declaration.persistence?.failOnSaveError ?? true,
        shouldWaitForSaveToPersistence: declaration.wait),
      lane: lane, name: declaration.id, instruments: instruments)
    let isForced = cursor.map { $0.isFullRefresh || $0.since != nil } ?? false
    switch mode {
    case .persistenceFirst where !isForced: return try await reactor.fetch(request.resource)
    case .persistenceFirst, .fresh, .revalidate: return try await reactor.fetchFromNetwork(request.resource)
    case .offline:
      var offline = reactor
      if let persistence = persistence(instruments.observer, isOffline: true) {
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
  }

  /// The three closures.
  private func flow(_ instruments: FlowInstruments, asksForChanges: Bool) -> ReactorFlow<RecordSet> {
    let flow = ReactorFlow<RecordSet>(networkFlow: { (_) async throws(ReactorError) -> Parsed<RecordSet> in
      try await fetch(try network(instruments), instruments, asksForChanges: asksForChanges)
    })
    guard let persistence = persistence(instruments.observer) else { return flow }
    return flow.persisting(in: persistence)
  }

  /// Where the result is kept; nil when it is not. Offline nobody can be asked for what is new.
  private func persistence(_ observer: @escaping FlowObserver, isOffline: Bool = false) -> FilePersistence? {
    guard let output else { return nil }
    return FilePersistence(
      root: environment.root, path: output, schema: schema, resourceKey: resourceKey,
      expiresAfter: declaration.persistence?.expiresAfter?.value, isIncremental: cursor != nil && !isOffline,
      wallClock: environment.wallClock, observer: observer)
  }

  /// The way to the server, with its check and its judgement of statuses.
  private func network(_ instruments: FlowInstruments) throws(ReactorError) -> Network {
    let accepted = declaration.expect.status
    return Network(
      connection: patient(auth.around(try connection()), instruments), reachability: try reachability(),
      responseModifier: (accepted.isEmpty
        ? ResponseModifier.success : .accepting { status in accepted.contains { $0.contains(status) } }).orMeaning,
      instruments: instruments)
  }

  /// The way to the server: the innermost connection, on which everything else is built.
  private func connection() throws(ReactorError) -> any Connection {
    try environment.connection(of: declaration.id, name: "base", baseURL: request.baseText, options)
  }

  private func reachability() throws(ReactorError) -> any Reachability {
    guard declaration.reachability else { return AlwaysReachable() }
    let open: FlowSeam.Opening<any Reachability> = { [request, options, environment] () throws(ReactorError) in
      try HTTPReachability(
        baseURL: request.baseText, probe: environment.openTransport().probe, options: options)
    }
    guard let seam = environment.seam else { return try open() }
    return try seam.reachability(FlowSeam.Place(flow: declaration.id, name: "base", baseURL: request.baseURL), open)
  }

  /// The requests, and their records read on their way to the staged result.
  private func fetch(
    _ network: Network, _ instruments: FlowInstruments, asksForChanges: Bool
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    // The path is taken before the request: a second run on it is refused before it costs anything.
    var spool: RecordSpool?
    if let output {
      spool = try await RecordSpool.open(
        output, in: environment.root, isTolerant: !(declaration.persistence?.failOnSaveError ?? true))
    }
    var letters: DeadLetters?
    do throws(ReactorError) {
      if let rejected {
        letters = try await DeadLetters.open(
          rejected, in: environment.root, of: declaration.id, isStrict: !declaration.prune)
      }
      var kept: KeptResult?
      if asksForChanges, canAskForChanges {
        let (resource, schema) = (resourceKey, schema.fingerprint)
        kept = await spool?.kept { $0.provenance.resource == resource && $0.provenance.schema == schema }
      }
      let run = try await cursorRun()
      return try await pull(by: network, into: spool, letters, instruments, unless: kept, run)
    } catch {
      await spool?.discard()
      await letters?.discard()
      throw error
    }
  }

  /// All records of the flow, judged by what it expects. Once they are judged, the rejected ones are published whatever
  /// is said of them.
  private func pull(
    by network: Network, into spool: RecordSpool?, _ letters: DeadLetters?, _ instruments: FlowInstruments,
    unless kept: KeptResult?, _ cursorRun: CursorRun?
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    let format = spool?.path.format ?? .jsonLines
    let mode = declaration.persistence?.mode ?? .replace
    let key = mode == .merge ? schema.schema.key : nil
    let end = resultSink(spool, format, mode)
    let sink: any PartSink =
      feed.map { FeedSink(result: end, writer: $0.writer, takesLines: format != .jsonLines || key != nil) } ?? end
    var pull = Pull(
      declaration: declaration, schema: schema, network: network, instruments: instruments, format: format, key: key,
      letters: letters, shown: request, handsOn: feed != nil,
      transform: RecordTransform(declaration, schema, scope: scope), scope: scope)
    let provenance = Provenance(
      writtenAt: environment.wallClock.milliseconds, resource: resourceKey, schema: schema.fingerprint, recordCount: 0)
    let outcome: Pull.Outcome
    let condition = kept.flatMap { Validators($0.stamp.provenance).condition(request.resource) }
    if condition != nil {
      let judge = network.responseModifier
      pull.network = network.with(
        ResponseModifier { (response) async throws(ReactorError) -> Response in
          response.status == 304 ? response : try await judge.modify(response)
        })
    }
    do throws(ReactorError) {
      if let each = declaration.each {
        outcome = try await EachPull(each: each, pull: pull, environment: environment) {
          (partition) throws(ReactorError) in
          try partitionRequest(partition, cursorRun)
        }.run(try await partitions(each), into: sink)
      } else if let cursorRun {
        outcome = try await pull.run(try requests(cursorRun, parent: nil, with: [:]), into: sink)
      } else {
        outcome = try await run(&pull, condition, into: sink)
      }
    } catch {
      guard let letters, letters.holdsVerdict, error.kind == .parser else { throw error }
      instruments.observer(.pruned(letters.report))
      throw await letters.publish(provenance, because: error)
    }
    if let kept, condition != nil, outcome.status == 304 {
      await letters?.discard()
      return notModified(kept, outcome, format)
    }
    if outcome.report.rejected > 0 { instruments.observer(.pruned(outcome.report)) }
    let count: Int
    let state: CursorState?
    do throws(ReactorError) {
      do throws(ReactorError) {
        state = try cursorRun?.state(after: outcome, hasParents: declaration.each != nil)
        let expectations = Expectations(declaration.expect, allowedPrune: allowedPrune)
        try expectations.check(outcome)
        // Of several requests each was compared with its own total.
        if declaration.each == nil, cursor == nil { try expectations.checkTotal(outcome) }
      } catch {
        throw await letters?.publish(provenance, because: error) ?? error
      }
      count = try await end.finish(outcome.report.kept)
      try await letters?.publish(provenance)
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    instruments.observer(.finished(.parse, outcome.timings.parse ?? .zero))
    let set = RecordSet(
      schema: schema.schema, count: count, format: format,
      content: spool.map {
        .file(
          StagedRecords(
            $0, outcome.report, canAskForChanges ? storable(outcome.validators) : Validators(), state))
      } ?? .notKept)
    var parsed = Parsed(
      set, report: outcome.report, bytes: outcome.bytes, status: outcome.status, timings: outcome.timings)
    parsed.pages = outcome.pages
    return parsed
  }

  /// Where the records go: alone, or joined with those that are there.
  private func resultSink(_ spool: RecordSpool?, _ format: RecordFormat, _ mode: PersistenceMode) -> any ResultSink {
    guard let spool else { return SpoolSink(nil, schema.plan, format: format) }
    let old = OlderResult(spool: spool, schema: schema, isForgotten: cursor?.isFullRefresh ?? false)
    switch mode {
    case .replace: return SpoolSink(spool, schema.plan, format: format)
    case .append: return AppendSink(old, format: format)
    case .merge: return MergeSink(old, format: format)
    }
  }

  /// What a persisted result belongs to: flow, method, URL, sorted query, headers, body, and where its records are.
  var resourceKey: UInt64 {
    var scope = "\(declaration.id)\n\(request.baseText)\n\(declaration.records?.value.text ?? "")\n\(declaration.prune)"
    // Templates that are filled in while the flow runs count as they are written.
    if request.recipe != nil { scope += "\n" + declaration.request.templateText }
    if let cursor = declaration.cursor { scope += "\n" + cursor.identity }
    if let each = declaration.each { scope += "\n" + each.identity }
    if let mapping = declaration.mappingIdentity(self.scope) { scope += "\n" + mapping }
    return ContentHash.of(request.resource.fingerprint(scope: scope).utf8)
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
