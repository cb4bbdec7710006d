internal import Fixtures
internal import FlowRuntime
internal import FlowSpec
internal import FlowModel
internal import HTTPTransport
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import RunViews
internal import Storage
internal import Synchronization
internal import TimeSyntax

/// Runs flows on a tape: `reactor record` writes exchanges with servers to it, `reactor test` replays them.
///
/// Results go to a temporary folder. Each flow has its own clock and its own tape of recorded exchanges.
package final class FixtureSession: Sendable {
  let settings: FixtureSettings
  /// The folder of the results.
  let root: String
  private let secrets: [String: String]
  /// Secrets that servers issued during the run: the secret is the key, its name is the value.
  private let learnt = Mutex<[String: String]>([:])
  private let tapes = Mutex<[String: FlowTape]>([:])
  let found = Mutex<[String: FixtureOutcome]>([:])
  private let recordings = Mutex<[String: Cassette]>([:])
  private let encoded = EncodedSecrets()
  /// Results in memory, by output path. A result is empty until the flow writes it.
  let results = Mutex<[String: [UInt8]]>([:])
  /// The old recordings that the recordings of this run replaced, by flow id.
  private let replaced = Mutex<[String: Cassette]>([:])
  private let declarations: [String: FlowDeclaration]

  /// Prepares a session and creates the folder of its results.
  ///
  /// - Parameter secrets: secret values by name
  init(
    _ settings: FixtureSettings, _ declarations: [FlowDeclaration], environment: [String: String],
    secrets: [String: String]
  ) throws(FixtureError) {
    self.settings = settings
    self.secrets = secrets
    self.declarations = Dictionary(declarations.map { ($0.id, $0) }) { first, _ in first }
    root = try FixtureFiles.makeTemporaryFolder(environment)
  }

  /// Removes the folder of the results.
  func close() { FixtureFiles.removeTree(root) }

  deinit { close() }

  /// The outcome of a flow.
  func outcome(of flow: String) -> FixtureOutcome? { found.withLock { $0[flow] } }

  /// The recording of a flow that is not yet written to disk.
  func recording(of flow: String) -> Cassette? { recordings.withLock { $0[flow] } }

  /// Registers a secret that a server issued, such as a token.
  ///
  /// Recordings mask it like every other secret. All such secrets share one name, because their order differs from run
  /// to run.
  ///
  /// - Parameter configured: the declared secret that the new one replaces; the new one gets its name, because a
  ///   replay starts with the declared secret
  func learn(_ value: String, inPlaceOf configured: String? = nil) {
    guard !secrets.values.contains(value) else { return }
    let name = configured.flatMap { configured in secrets.filter { $0.value == configured }.keys.min() } ?? "learnt"
    learnt.withLock { if $0[value] == nil { $0[value] = "\(name)#\($0.count)" } }
  }

  /// All secrets known at this moment, by name.
  private var known: [String: String] {
    var known = secrets
    for (value, name) in learnt.withLock({ $0 }) { known[name] = value }
    return known
  }

  // MARK: - Assembling

  /// Returns the clocks, folders and connections with which the flows run: in a replay, nothing waits or connects.
  func environment(_ proxies: HTTPProxies, scratch: String, secrets: KnownSecrets) -> FlowEnvironment {
    let isReplay = settings.mode == .none
    var clocks = FlowEnvironment.Clocks(
      // Also used during recording: the time in a request must be the same in a replay.
      wallClock: WallClock { VirtualClock.current?.sinceEpoch ?? WallClock.system.sinceEpoch() },
      stopwatch: isReplay ? Stopwatch { VirtualClock.current?.passed ?? .zero } : .continuous,
      delay: Delay { (duration) async throws(ReactorError) in
        if !isReplay { try await Delay.real.wait(duration) } else if Task.isCancelled { throw .cancelled }
        VirtualClock.current?.wait(duration)
      })
    // A recording may take longer than a signature is valid, and no signature is compared in a replay.
    if !isReplay { clocks.signingClock = .system }
    return FlowEnvironment(
      root: OutputRoot(path: root, durability: .fast) { [weak self] in self?.take($0, $1) ?? false }, proxies: proxies,
      clocks: clocks, transportOverride: transportOverride, scratch: scratch, secrets: secrets,
      // A recording consumes a single-use token like any other run.
      tokenRoot: isReplay ? nil : ".",
      // Flows read their input files from the working folder, not from the folder of the results.
      inputs: OutputRoot(path: "."))
  }

  /// The flows, changed for recording and replay.
  ///
  /// Each flow writes its result, in a format that changes no value, and waits until it is written. Requests are sent
  /// one after the other, so their order and the waits do not depend on which response arrives first.
  func prepared(_ declarations: [FlowDeclaration]) -> [FlowDeclaration] {
    declarations.map { declaration in
      var path = Located(Template(text: "records/\(declaration.id).jsonl"), at: declaration.range)
      if let declared = declaration.result.target?.path, !declared.value.isSplit,
        case .text(let end)? = declared.value.segments.last,
        end.hasSuffix(".jsonl") || end.hasSuffix(".json")
      {
        path = declared
      }
      var flow = declaration
      var result = declaration.result
      result.targets = [.file(path)]
      result.expiresAfter = nil
      result.failsOnSaveError = true
      result.waits = true
      if case .table? = result.rejected {
        let path = Template(text: "records/\(declaration.id).rejected.jsonl")
        result.rejected = .file(Located(path, at: declaration.range))
      }
      flow.result = result
      flow.pull.pages?.parallel = 1
      flow.each?.concurrency = 1
      return flow
    }
  }

  private var transportOverride: TransportOverride {
    var override = TransportOverride(isReplay: settings.mode == .none) {
      [self] (location, open) throws(ReactorError) in
      TapeConnection(
        try tape(of: location.flow), base: FixtureBase(name: location.name, url: location.baseURL), open: open)
    }
    override.rows = { [self] (flow, parent, read) async throws(ReactorError) -> any RecordFile in
      try await recordedRows(of: flow, parent: parent, read)
    }
    return override
  }

  func tape(of flow: String) throws(ReactorError) -> FlowTape {
    do throws(FixtureError) {
      return try tapes.withLock { (tapes: inout [String: FlowTape]) throws(FixtureError) -> FlowTape in
        if let tape = tapes[flow] { return tape }
        let folder = FixtureFolder(root: settings.folder, flow: flow)
        let fixture = declarations[flow]?.fixture ?? FixtureDeclaration()
        let tape = FlowTape(
          flow: flow, cassette: settings.mode == .all ? nil : try folder.load(leavesLarge: settings.mode == .none),
          path: folder.cassettePath,
          mode: settings.mode,
          matching: fixture.matching,
          secrets: { [weak self] in self?.known ?? [:] }, encoded: encoded)
        tapes[flow] = tape
        return tape
      }
    } catch {
      throw ReactorError.fixture(error.message, help: error.help)
    }
  }

  /// Retains a result in memory until it is compared.
  ///
  /// Writing a thousand files would take longer than their replay.
  private func take(_ path: OutputPath, _ content: [UInt8]) -> Bool {
    results.withLock { results in
      guard results[path.text] != nil else { return false }
      results[path.text] = content
      return true
    }
  }

  // MARK: - Running

  /// Runs a flow once on its tape.
  func run(
    _ flow: DeclaredFlow, queue: SaveQueue, observer: @escaping FlowObserver
  ) async throws(ReactorError) -> FetchSummary {
    guard let declaration = declarations[flow.id] else { throw .server("the flow is not known") }
    tapes.withLock { $0[flow.id] = nil }
    // A flow that reads its own result needs the result as a file, so that result is not retained in memory.
    if !flow.readsResult, let path = flow.outputPath { results.withLock { $0[path] = [] } }
    // Release the tape and the result, so that a thousand recordings do not stay in memory.
    defer {
      tapes.withLock { $0[flow.id] = nil }
      if let path = flow.outputPath { results.withLock { $0[path] = nil } }
    }
    let tape: FlowTape?
    var missing: ReactorError?
    do throws(ReactorError) {
      tape = try self.tape(of: flow.id)
    } catch {
      (tape, missing) = (nil, error)
    }
    let clock = VirtualClock(start: .seconds(moment(of: flow.id)))
    // The flow also runs without a tape, because its child flows wait until it has ended.
    let result: Result<FetchSummary, ReactorError> = await VirtualClock.$current.withValue(clock) {
      do throws(ReactorError) {
        return .success(try await flow.execute(.fresh, queue: queue, observer: observer))
      } catch {
        return .failure(error)
      }
    }
    guard let tape else { throw missing ?? ReactorError.fixture("the flow has no recording") }
    if case .failure(let error) = result, error.kind == .cancelled { throw error }
    if settings.mode != .none { return try record(flow, tape, result) }
    if let count = settings.retainedRecords { return try retain(count, of: flow, declaration, tape, result) }
    return try judge(flow, declaration, tape, clock, result, memory: await flow.cursor?.memory())
  }

  /// The time that a flow gets as the current time, in seconds since 1970: the time of its recording.
  func moment(of flow: String) -> Int64 {
    if settings.mode == .all, settings.writesRecordings { return settings.now }
    // A run that compares with a recording, or extends it, must send the same requests.
    return FixtureFolder(root: settings.folder, flow: flow).recordedAt ?? (settings.mode == .none ? 0 : settings.now)
  }

  // MARK: - Recording

  private func record(
    _ flow: DeclaredFlow, _ tape: FlowTape, _ result: Result<FetchSummary, ReactorError>
  ) throws(ReactorError) -> FetchSummary {
    if case .failure(let error) = result, !settings.recordsFailures { throw error }
    let folder = FixtureFolder(root: settings.folder, flow: flow.id)
    var outcome = FixtureOutcome()
    guard tape.asksServers else {
      // The flow already has a recording, so its tape replayed it (mode `once`) and no new recording is written.
      (outcome.requests, outcome.recording) = (tape.exchangeCount, .unchanged)
      found.withLock { [outcome] in $0[flow.id] = outcome }
      return try result.get()
    }
    do throws(FixtureError) {
      var cassette = try tape.recorded(
        tool: ToolVersion.text, now: tape.cassette?.recordedAt ?? InstantText.text(settings.now),
        keepsUnused: settings.keepsUnused)
      outcome.requests = cassette.entries.count
      if let old = (try? folder.load()) ?? nil, let declaration = declarations[flow.id], settings.writesRecordings,
        repeats(old, cassette, of: flow, declaration, tape, result, in: folder)
      {
        cassette = old
      }
      if settings.writesRecordings { try write(&cassette, in: folder, &outcome) }
      recordings.withLock { [cassette] in $0[flow.id] = cassette }
    } catch {
      throw ReactorError.fixture(error.message, help: error.help)
    }
    found.withLock { [outcome] in $0[flow.id] = outcome }
    return try result.get()
  }

  /// Removes from a recording the exchanges that its first replay did not request.
  ///
  /// An example is the renewal of a token that expired while the server was slow. Without the removal, two recordings
  /// of one server would differ.
  func drop(_ replay: inout FixtureOutcome, of flow: String) throws(FixtureError) {
    guard !settings.keepsUnused, replay.golden != .none, !replay.unused.isEmpty else { return }
    let folder = FixtureFolder(root: settings.folder, flow: flow)
    guard var cassette = try folder.load() else { return }
    cassette.entries = cassette.entries.enumerated().filter { !replay.unused.contains($0.offset + 1) }.map(\.element)
    if let old = replaced.withLock({ $0[flow] }), old.entries == cassette.entries {
      (cassette.recordedAt, cassette.tool) = (old.recordedAt, old.tool)
      found.withLock { $0[flow]?.recording = .unchanged }
    }
    try folder.save(cassette, scan: SecretScan(known))
    replay.unused = []
  }

  /// Writes a recording. Its date stays the same when nothing else changed.
  private func write(
    _ cassette: inout Cassette, in folder: FixtureFolder, _ outcome: inout FixtureOutcome
  ) throws(FixtureError) {
    // A recording that cannot be read is replaced.
    let old = (try? folder.load()) ?? nil
    if let old, old.entries == cassette.entries {
      (cassette.recordedAt, cassette.tool) = (old.recordedAt, old.tool)
    } else if let old {
      replaced.withLock { $0[folder.flow] = old }
    }
    let hasChanged = try folder.save(cassette, scan: SecretScan(known))
    outcome.recording = hasChanged ? .written : .unchanged
  }
}
