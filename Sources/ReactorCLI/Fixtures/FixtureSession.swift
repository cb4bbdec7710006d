internal import BatchRunner
internal import Fixtures
internal import FlowCompiler
internal import FlowSpec
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import Storage
internal import Synchronization

/// Flows whose network is a tape: what `reactor record` and `reactor test` run.
///
/// Results go to a folder of the run's own and are removed with it; each flow has its own clock and its own tape.
package final class FixtureSession: Sendable {
  let settings: FixtureSettings
  /// Where results go.
  private let root: String
  private let secrets: @Sendable () -> [String: String]
  /// Secrets that servers gave out during the run, by name.
  private let learnt = Mutex<[String: String]>([:])
  private let tapes = Mutex<[String: FlowTape]>([:])
  private let found = Mutex<[String: FixtureOutcome]>([:])
  private let recordings = Mutex<[String: Cassette]>([:])
  private let declarations: [String: FlowDeclaration]

  /// Prepares a session; makes the folder of its results.
  ///
  /// - Parameter secrets: all that are known, by name, at the moment of the call
  init(
    _ settings: FixtureSettings, _ declarations: [FlowDeclaration], environment: [String: String],
    secrets: @escaping @Sendable () -> [String: String]
  ) throws(FixtureError) {
    self.settings = settings
    self.secrets = secrets
    self.declarations = Dictionary(declarations.map { ($0.id, $0) }) { first, _ in first }
    root = try FixtureFiles.makeTemporaryFolder(environment)
  }

  /// Removes the results.
  func close() { FixtureFiles.removeTree(root) }

  deinit { close() }

  /// What came of a flow.
  func outcome(of flow: String) -> FixtureOutcome? { found.withLock { $0[flow] } }

  /// What was recorded of a flow and not written.
  func recording(of flow: String) -> Cassette? { recordings.withLock { $0[flow] } }

  /// Takes a secret that a server gave out: a token, for one. It is taken out of recordings like all others, and all of
  /// them under one name, because who gets one first is another one in every run.
  func learn(_ value: String) {
    let declared = secrets()
    guard !declared.values.contains(value) else { return }
    learnt.withLock { $0["learnt#\($0.count)"] = value }
  }

  /// All secrets known at this moment.
  private var known: [String: String] { secrets().merging(learnt.withLock { $0 }) { declared, _ in declared } }

  // MARK: - Assembling

  /// What the flows run in.
  func environment(_ proxies: HTTPProxies, scratch: String, secrets: KnownSecrets) -> FlowEnvironment {
    let isReplay = settings.mode == .none
    return FlowEnvironment(
      root: OutputRoot(path: root, durability: .fast), proxies: proxies,
      wallClock: isReplay
        ? WallClock { VirtualClock.current?.sinceEpoch ?? WallClock.system.sinceEpoch() } : .system,
      stopwatch: isReplay ? Stopwatch { VirtualClock.current?.passed ?? .zero } : .continuous,
      delay: isReplay
        ? Delay { (duration) async throws(ReactorError) in
          if Task.isCancelled { throw .cancelled }
          VirtualClock.current?.wait(duration)
        } : .real, seam: seam, scratch: scratch, secrets: secrets)
  }

  /// Flows as they run here: everything is kept, in a form that holds every value as it is, and waited for.
  func prepared(_ declarations: [FlowDeclaration]) -> [FlowDeclaration] {
    declarations.map { declaration in
      var declaration = declaration
      declaration.wait = true
      var path = Located(Template(text: "records/\(declaration.id).jsonl"), at: declaration.range)
      if let own = declaration.persistence?.path, case .text(let end)? = own.value.segments.last,
        end.hasSuffix(".jsonl") || end.hasSuffix(".json")
      {
        path = own
      }
      declaration.persistence = PersistenceDeclaration(path: path, expiresAfter: nil, failOnSaveError: true)
      return declaration
    }
  }

  private var seam: FlowSeam {
    FlowSeam { [self] (place, open) throws(ReactorError) in
      TapeConnection(try tape(of: place.flow), base: FixtureBase(name: place.name, url: place.baseURL), open: open)
    } reachability: { [self] (place, open) throws(ReactorError) in
      TapeReachability(try tape(of: place.flow), open: open)
    }
  }

  private func tape(of flow: String) throws(ReactorError) -> FlowTape {
    do throws(FixtureError) {
      return try tapes.withLock { (tapes: inout [String: FlowTape]) throws(FixtureError) -> FlowTape in
        if let tape = tapes[flow] { return tape }
        let folder = FixtureFolder(root: settings.folder, flow: flow)
        let fixture = declarations[flow]?.fixture ?? FixtureDeclaration()
        let tape = FlowTape(
          flow: flow, cassette: settings.mode == .all ? nil : try folder.load(), path: folder.cassettePath,
          mode: settings.mode,
          matching: fixture.matching,
          secrets: { [weak self] in self?.known ?? [:] })
        tapes[flow] = tape
        return tape
      }
    } catch {
      throw ReactorError.server(error.message)
    }
  }

  // MARK: - Running

  /// Runs a flow once on its tape.
  func run(
    _ flow: CompiledFlow, lane: SaveLane, observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FlowResult {
    guard let declaration = declarations[flow.id] else { throw .server("the flow is not known") }
    tapes.withLock { $0[flow.id] = nil }
    // A thousand recordings need not stay in memory.
    defer { tapes.withLock { $0[flow.id] = nil } }
    let tape: FlowTape?
    var fault: ReactorError?
    do throws(ReactorError) {
      tape = try self.tape(of: flow.id)
    } catch {
      (tape, fault) = (nil, error)
    }
    let start = tape?.cassette.flatMap { InstantText.seconds($0.recordedAt) } ?? 0
    let clock = VirtualClock(start: .seconds(start))
    // Also without a tape: flows that take this one's records wait until it has ended.
    let result: Result<FlowOutcome, ReactorError> = await VirtualClock.$current.withValue(clock) {
      do throws(ReactorError) {
        return .success(try await flow.execute(.fresh, lane: lane, observer: observer))
      } catch {
        return .failure(error)
      }
    }
    guard let tape else { throw fault ?? ReactorError.server("there is no tape") }
    if case .failure(let error) = result, error.kind == .cancelled { throw error }
    if settings.mode != .none { return try record(flow, tape, result) }
    return try judge(flow, declaration, tape, clock, result)
  }

  // MARK: - Recording

  private func record(
    _ flow: CompiledFlow, _ tape: FlowTape, _ result: Result<FlowOutcome, ReactorError>
  ) throws(ReactorError) -> FlowResult {
    if case .failure(let error) = result, !settings.recordsFailures { throw error }
    let folder = FixtureFolder(root: settings.folder, flow: flow.id)
    var outcome = FixtureOutcome()
    do throws(FixtureError) {
      var cassette = try tape.recorded(
        tool: ToolVersion.text, now: InstantText.text(settings.now), keepsUnused: settings.keepsUnused)
      outcome.requests = cassette.entries.count
      if settings.writesRecordings { try write(&cassette, in: folder, &outcome) }
      recordings.withLock { [cassette] in $0[flow.id] = cassette }
    } catch {
      throw ReactorError.server(error.message)
    }
    found.withLock { [outcome] in $0[flow.id] = outcome }
    return FlowResult(try result.get())
  }

  /// Writes a recording; one in which nothing changed keeps its date.
  private func write(
    _ cassette: inout Cassette, in folder: FixtureFolder, _ outcome: inout FixtureOutcome
  ) throws(FixtureError) {
    // One that cannot be read is written anew.
    let old = (try? folder.load()) ?? nil
    if let old, old.entries == cassette.entries { (cassette.recordedAt, cassette.tool) = (old.recordedAt, old.tool) }
    let hasChanged = try folder.save(cassette, scan: SecretScan(known))
    outcome.recording = hasChanged ? .written : .unchanged
  }

  // MARK: - Comparing

  private func judge(
    _ flow: CompiledFlow, _ declaration: FlowDeclaration, _ tape: FlowTape, _ clock: VirtualClock,
    _ result: Result<FlowOutcome, ReactorError>
  ) throws(ReactorError) -> FlowResult {
    var outcome = FixtureOutcome()
    outcome.requests = tape.exchanges.count
    outcome.waits = clock.waits
    outcome.unused = tape.unused
    if let limit = declaration.fixture.maxAge,
      let recorded = tape.cassette.flatMap({ InstantText.seconds($0.recordedAt) })
    {
      let overdue = settings.now - recorded - Int64(limit)
      if overdue > 0 { outcome.overdue = overdue }
    }
    defer { found.withLock { [outcome] in $0[flow.id] = outcome } }
    if let miss = tape.misses.first {
      let place = MappingPlaces(declaration).request(differing: miss.parameters)
      outcome.details = miss.lines
      outcome.details.insert("declared  at \(place.file):\(place.line)", at: min(1, miss.lines.count))
      let more = tape.misses.count - 1
      if more > 0 { outcome.details.append("          and \(more) more without a recording") }
      if case .failure(let error) = result { throw error }
      throw .server(miss.sentence)
    }
    do throws(FixtureError) {
      let judgement = GoldenJudgement(
        flow: flow, declaration: declaration, tape: tape, clock: clock, result: result, settings: settings, root: root)
      try judgement.decide(&outcome)
    } catch {
      throw ReactorError.server(error.message)
    }
    switch outcome.golden {
    case .missing:
      if case .failure(let error) = result { throw error }
      throw .server("there is no golden for this flow in \(FixtureFolder(root: settings.folder, flow: flow.id).path)")
    case .differs:
      if case .failure(let error) = result { throw error }
      let count = outcome.differences.count + outcome.differencesLeftOut
      throw .parser(count == 1 ? "1 difference from the golden" : "\(count) differences from the golden")
    case .none, .equal, .written, .replaced:
      // A flow whose golden says that it fails passes by failing in the same way.
      guard case .success(let outcome) = result else { return FlowResult(source: .network, records: 0) }
      return FlowResult(outcome)
    }
  }
}

extension FlowResult {
  /// What one run of a compiled flow gave.
  init(_ outcome: FlowOutcome) {
    self.init(
      source: outcome.source, miss: outcome.miss, records: outcome.report.kept, rejected: outcome.report.rejected,
      rejections: outcome.report.rejections, bytes: outcome.bytes, save: outcome.save, timings: outcome.timings,
      pages: outcome.pages, filtered: outcome.report.filtered)
  }
}
