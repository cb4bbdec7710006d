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
  let options: HTTPOptions
  let environment: FlowEnvironment
  let timeout: Double

  /// The flow as the runner sees it.
  var compiled: CompiledFlow {
    let start = declaration.range.start
    return CompiledFlow(
      id: declaration.id, name: declaration.name, description: declaration.description, tags: declaration.tags,
      file: declaration.range.file.path, line: start.line, host: request.baseURL.origin, outputPath: output?.text,
      timeout: timeout, request: "\(request.resource.method.rawValue) \(request.shownURL)",
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
    return Network(
      connection: try connection(), reachability: try reachability(),
      responseModifier: accepted.isEmpty
        ? .success : .accepting { status in accepted.contains { $0.contains(status) } },
      instruments: instruments)
  }

  /// The way to the server: the innermost connection, on which everything else is built.
  private func connection() throws(ReactorError) -> any Connection {
    let open: FlowSeam.Opening<any Connection> = { [request, options, environment] () throws(ReactorError) in
      try HTTPConnection(
        baseURL: request.baseText, client: environment.openTransport().client, options: options)
    }
    guard let seam = environment.seam else { return try open() }
    return try seam.connection(FlowSeam.Place(flow: declaration.id, name: "base", baseURL: request.baseURL), open)
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
    do throws(ReactorError) {
      let response = try await network.response(for: resource)
      return try await read(response, into: spool, instruments)
    } catch {
      await spool?.discard()
      throw error
    }
  }

  private func read(
    _ response: Response, into spool: RecordSpool?, _ instruments: FlowInstruments
  ) async throws(ReactorError) -> Parsed<RecordSet> {
    let start = instruments.stopwatch.reading()
    instruments.observer(.started(.parse))
    let format = spool?.path.format ?? .jsonLines
    let outcome: RecordReader.Outcome
    do throws(ReactorError) {
      outcome = try await records(response, format, into: spool)
      try Expectations(declaration.expect).check(outcome)
    } catch {
      instruments.observer(.failed(.parse, error))
      throw error
    }
    if outcome.report.rejected > 0 { instruments.observer(.pruned(outcome.report)) }
    var timings = response.timings
    timings.parse = instruments.stopwatch.reading() - start
    instruments.observer(.finished(.parse, timings.parse ?? .zero))
    let set = RecordSet(
      schema: schema.schema, count: outcome.report.kept, format: format,
      content: spool.map { .file(StagedRecords($0, outcome.report)) } ?? .notKept)
    return Parsed(
      set, report: outcome.report, bytes: outcome.bytes, status: response.status, timings: timings)
  }

  private func records(
    _ response: Response, _ format: RecordFormat, into spool: RecordSpool?
  ) async throws(ReactorError) -> RecordReader.Outcome {
    // RFC 9110, sections 15.3.5 and 15.3.6: these answers have no content, which here means no records.
    if response.status == 204 || response.status == 205 {
      response.body.cancel()
      let nothing = RecordOutput(schema.plan, format: format).finish()
      try await spool?.write(nothing)
      return RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0)
    }
    let reader = RecordReader(
      plan: schema.plan, selection: RecordSelection(declaration.records?.value), isStrict: !declaration.prune,
      needsEnvelope: declaration.expect.total != nil)
    guard let spool else {
      return try await reader.read(response.body) { (_) throws(ReactorError) in }
    }
    let out = RecordOutput(schema.plan, format: format)
    let outcome = try await reader.read(response.body) { (batch) throws(ReactorError) in
      out.append(batch)
    } pause: { () async throws(ReactorError) in
      if let piece = out.takePiece() { try await spool.write(piece) }
    }
    try await spool.write(out.finish())
    return outcome
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
