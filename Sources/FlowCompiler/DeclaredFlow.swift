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
  let environment: FlowEnvironment
  let timeout: Double

  /// The flow as the runner sees it.
  var compiled: CompiledFlow {
    let start = declaration.range.start
    return CompiledFlow(
      id: declaration.id, name: declaration.name, description: declaration.description, tags: declaration.tags,
      file: declaration.range.file.path, line: start.line, host: request.baseURL.origin, outputPath: output?.text,
      rejectedPath: rejected?.text, timeout: timeout,
      request: "\(request.resource.method.rawValue) \(request.shownURL)",
      explain: { explanation },
      look: { await persistence({ _ in })?.look(for: request.resource) ?? PersistenceLook(miss: .disabled) },
      run: { (mode, lane, observer) async throws(ReactorError) -> FlowOutcome in
        guard let mask = request.mask else { return try await run(mode, lane, observer) }
        do throws(ReactorError) {
          return try await run(mode, lane, mask.masked(observer))
        } catch {
          throw mask.masked(error)
        }
      })
  }

  private func run(
    _ mode: FetchMode, _ lane: SaveLane, _ observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowOutcome {
    let instruments = FlowInstruments(
      stopwatch: environment.stopwatch, wallClock: environment.wallClock, observer: observer)
    let reactor = Reactor(
      flow: flow(instruments),
      configuration: CoreConfiguration(
        shouldFailWhenSaveToPersistenceFails: declaration.persistence?.failOnSaveError ?? true,
        shouldWaitForSaveToPersistence: declaration.wait),
      lane: lane, name: declaration.id, instruments: instruments)
    switch mode {
    case .persistenceFirst: return FlowOutcome(try await reactor.fetch(request.resource))
    case .fresh: return FlowOutcome(try await reactor.fetchFromNetwork(request.resource))
    case .offline:
      var offline = reactor
      offline.flow.networkFlow = { (_) async throws(ReactorError) -> Parsed<RecordSet> in
        throw ReactorError.noConnectivity
      }
      do throws(ReactorError) {
        return FlowOutcome(try await offline.fetch(request.resource))
      } catch {
        guard error.kind == .noConnectivity else { throw error }
        let read = try await reactor.flow.loadFromPersistenceFlow(request.resource)
        guard case .miss(let reason) = read else { throw error }
        throw ReactorError.persistence("offline, and \(reason)", path: output?.text)
      }
    }
  }

  /// The three closures.
  private func flow(_ instruments: FlowInstruments) -> ReactorFlow<RecordSet> {
    let flow = ReactorFlow<RecordSet>(networkFlow: { (resource) async throws(ReactorError) -> Parsed<RecordSet> in
      try await fetch(resource, try network(instruments), instruments)
    })
    guard let persistence = persistence(instruments.observer) else { return flow }
    return flow.persisting(in: persistence)
  }

  /// Where the result is kept; nil when it is not.
  private func persistence(_ observer: @escaping FlowObserver) -> FilePersistence? {
    guard let output else { return nil }
    return FilePersistence(
      root: environment.root, path: output, schema: schema, resourceKey: resourceKey,
      expiresAfter: declaration.persistence?.expiresAfter?.value, wallClock: environment.wallClock, observer: observer)
  }

  /// The way to the server, with its check and its judgement of statuses.
  private func network(_ instruments: FlowInstruments) throws(ReactorError) -> Network {
    let accepted = declaration.expect.status
    let transport = environment.openTransport()
    return Network(
      connection: try HTTPConnection(baseURL: request.baseText, client: transport.client, options: options),
      reachability: declaration.reachability
        ? try HTTPReachability(baseURL: request.baseText, probe: transport.probe, options: options)
        : AlwaysReachable(),
      responseModifier: accepted.isEmpty
        ? .success : .accepting { status in accepted.contains { $0.contains(status) } },
      instruments: instruments)
  }

  /// The request, and its records read on their way to the staged result.
  private func fetch(
    _ resource: Resource, _ network: Network, _ instruments: FlowInstruments
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
      let response = try await network.response(for: resource)
      return try await read(response, into: spool, letters, instruments)
    } catch {
      await spool?.discard()
      await letters?.discard()
      throw error
    }
  }

  private func read(
    _ response: Response, into spool: RecordSpool?, _ letters: DeadLetters?, _ instruments: FlowInstruments
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    let format = spool?.path.format ?? .jsonLines
    let outcome: RecordReader.Outcome
    let count: Int
    do throws(ReactorError) {
      (outcome, count) = try await judged(response, into: spool, letters, instruments.observer)
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    var timings = response.timings
    timings.parse = instruments.stopwatch.reading() - start
    instruments.observer(.finished(.parse, timings.parse ?? .zero))
    let set = RecordSet(
      schema: schema.schema, count: count, format: format,
      content: spool.map { .file(StagedRecords($0, outcome.report)) } ?? .notKept)
    return Parsed(
      set, report: outcome.report, bytes: outcome.bytes, status: response.status, timings: timings)
  }

  /// The records, once it is certain that they are as expected; the rejected ones are published whatever is said of them.
  private func judged(
    _ response: Response, into spool: RecordSpool?, _ letters: DeadLetters?,
    _ observer: FlowObserver
  ) async throws(ReactorError) -> (RecordReader.Outcome, count: Int) {
    let provenance = Provenance(
      writtenAt: environment.wallClock.milliseconds, resource: resourceKey, schema: schema.fingerprint, recordCount: 0)
    var outcome: RecordReader.Outcome?
    let result: RecordReader.Outcome
    var writer: ResultWriter?
    if let spool {
      writer = ResultWriter(spool, schema, mode: declaration.persistence?.mode ?? .replace)
    }
    do throws(ReactorError) {
      result = try await records(response, into: writer, letters)
      outcome = result
      if result.report.rejected > 0 { observer(.pruned(result.report)) }
      try Expectations(declaration.expect, allowedPrune: allowedPrune).check(result)
    } catch {
      guard let letters, outcome != nil || letters.holdsVerdict else { throw error }
      if outcome == nil { observer(.pruned(letters.report)) }
      throw await letters.publish(provenance, because: error)
    }
    let count = try await writer?.finish() ?? result.report.kept
    try await letters?.publish(provenance)
    return (result, count)
  }

  private func records(
    _ response: Response, into writer: ResultWriter?, _ letters: DeadLetters?
  ) async throws(ReactorError) -> RecordReader.Outcome {
    // RFC 9110, sections 15.3.5 and 15.3.6: these answers have no content, which here means no records.
    if response.status == 204 || response.status == 205 {
      response.body.cancel()
      return RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0)
    }
    let reader = RecordReader(
      plan: schema.plan, selection: RecordSelection(declaration.records?.value), isStrict: !declaration.prune,
      needsEnvelope: declaration.expect.total != nil,
      onRejected: letters?.taker(page: 1, method: request.resource.method.rawValue, url: request.shownURL))
    return try await reader.read(response.body) { (batch) throws(ReactorError) in
      writer?.append(batch)
    } pause: { () async throws(ReactorError) in
      try await writer?.drain()
      try await letters?.flush()
    }
  }

  /// What a persisted result belongs to: flow, method, URL, sorted query, headers, body, and where its records are.
  private var resourceKey: UInt64 {
    let scope = "\(declaration.id)\n\(request.baseText)\n\(declaration.records?.value.text ?? "")\n\(declaration.prune)"
    return ContentHash.of(request.resource.fingerprint(scope: scope).utf8)
  }
}

extension FlowOutcome {
  init(_ fetched: Fetched<RecordSet>) {
    var report = fetched.report
    // A persisted result was counted when it was made.
    if fetched.source == .persistence { report = PruneReport(kept: fetched.model.count) }
    self.init(
      source: fetched.source, miss: fetched.miss, report: report, bytes: fetched.bytes, save: fetched.save,
      timings: fetched.timings)
  }
}
