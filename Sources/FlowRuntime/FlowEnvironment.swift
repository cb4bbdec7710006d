internal import Authorization
internal import Databases
internal import FlowModel
public import HTTPTransport
public import ReactorCore
public import Storage
internal import Synchronization

/// Everything outside the program that flows use: files, clocks, network and credentials.
///
/// A run creates one environment and passes it down to its flows.
public final class FlowEnvironment: Sendable {
  /// The folder below which results are stored.
  public let root: OutputRoot
  /// The time of day, for time stamps and expiry.
  public let wallClock: WallClock
  /// The time of day in signatures.
  let signingClock: WallClock
  /// Measures durations.
  public let stopwatch: Stopwatch
  /// Waits for a duration.
  public let delay: Delay
  /// The proxies for flows that do not declare their own.
  let proxies: HTTPProxies
  /// How retries and rate limits wait: the delay and the randomness.
  public let patience: Patience
  /// The rate limits of the hosts, shared by all flows of the run.
  let budgets: RateBudgets
  /// The responses that equal requests of the run share.
  let responses = ResponseCache()
  /// The limits for the number of jobs at each host, shared by all flows of the run.
  let jobs: RateBudgets
  /// The paths of the files in which flows store responses as received (`download`).
  let downloads = DownloadedPaths()
  /// Tells the flows of the run when the run ends.
  public let runEnd = RunEnd()
  /// What a flow does if another run of the same flow is in progress.
  let otherRuns: OtherRunPolicy
  /// The order in which runs of this environment write to the same target.
  let turns: ResultTurns
  /// The names of the jobs that flows of this run are using at present.
  let jobNames = Mutex<Set<String>>([])
  /// Replaces the network of each flow; nil to use the real network.
  let transportOverride: TransportOverride?
  /// The trace of which the requests are a part.
  let tracing: RunTracing
  /// The folder below which flows read input files: `root` unless results are written elsewhere.
  let inputs: OutputRoot
  /// Stores jobs that servers run, and single-use refresh tokens.
  ///
  /// A flow that uses such a token must persist the token that replaces it.
  let state: any StateStore
  /// The known credentials of the run, including those that the run obtains.
  public let secrets: KnownSecrets
  /// The token sessions of the run. Flows that declare the same credentials share one session.
  let tokens = TokenSessions()
  /// The sessions of HTTP digest authentication. Flows that declare the same credentials share one session.
  let digests = DigestSessions()
  /// A folder for temporary data, used when the root cannot hold the data.
  private let scratch: String
  private let transport = Mutex<Transport?>(nil)
  private let makeClient: @Sendable () -> HTTPClient
  /// The id of the run, which no other run has. The run histories in databases contain it.
  ///
  /// All processes that take part in one run have the same id.
  public let run: String
  /// This process's part in a run of several processes; nil when no other process takes part.
  let membership: (any RunMembership)?
  /// The databases that the flows load into.
  let databases = Mutex<[Store<String>: Database]>([:])
  /// The record feeds of parent flows, by the id of the flow.
  private let feeds = Mutex<[String: RecordFeed]>([:])

  /// The HTTP client, and the reachability probe that uses it.
  struct Transport: Sendable {
    let client: HTTPClient
    let probe: ReachabilityProbe
  }

  /// The clocks of an environment.
  public struct Clocks: Sendable {
    /// The time of day.
    public var wallClock: WallClock
    /// Measures durations.
    public var stopwatch: Stopwatch
    /// Waits for a duration.
    public var delay: Delay
    /// How retries and rate limits wait; nil to use `delay`.
    public var patience: Patience?
    /// The time of day in signatures, which servers compare with their own clock; nil to use `wallClock`.
    public var signingClock: WallClock?

    /// Creates the clocks; by default, the clocks of the system.
    public init(
      wallClock: WallClock = .system, stopwatch: Stopwatch = .continuous, delay: Delay = .real,
      patience: Patience? = nil
    ) {
      self.wallClock = wallClock
      self.stopwatch = stopwatch
      self.delay = delay
      self.patience = patience
    }
  }

  /// Builds an environment.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - proxies: from the environment's `http_proxy`, `https_proxy` and `no_proxy`, read by the caller
  ///   - clocks: the clocks
  ///   - transportOverride: replaces the network of each flow
  ///   - scratch: a folder for temporary data, used when the root does not exist or is not writable
  ///   - secrets: receives each credential before it is used
  ///   - inputs: the folder below which flows read input files; by default the root
  ///   - tokenRoot: the folder below which single-use refresh tokens are persisted; by default the root
  ///   - state: stores jobs and single-use refresh tokens instead of the root and `tokenRoot`
  ///   - otherRuns: what a flow does if another run of the same flow is in progress
  ///   - membership: this process's part in a run of several processes
  ///   - tracing: the trace of which the requests are a part
  ///   - makeClient: called at most once, before the first request
  public init(
    root: OutputRoot = OutputRoot(), proxies: HTTPProxies = HTTPProxies(), clocks: Clocks = Clocks(),
    transportOverride: TransportOverride? = nil, scratch: String = "/tmp", secrets: KnownSecrets = KnownSecrets(),
    tokenRoot: String? = nil, state: (any StateStore)? = nil, inputs: OutputRoot? = nil,
    otherRuns: OtherRunPolicy = .fail, membership: (any RunMembership)? = nil,
    tracing: RunTracing = RunTracing(), makeClient: @escaping @Sendable () -> HTTPClient = { HTTPClient() }
  ) {
    self.makeClient = makeClient
    self.otherRuns = otherRuns
    self.membership = membership
    self.tracing = tracing
    run = membership?.run ?? TableLoad.newID()
    self.inputs = inputs ?? root
    self.state = state ?? LocalStateStore(root: root, tokenRoot: tokenRoot ?? root.path)
    delay = clocks.delay
    turns = ResultTurns(delay: clocks.delay)
    signingClock = clocks.signingClock ?? clocks.wallClock
    self.transportOverride = transportOverride
    self.scratch = scratch
    self.root = root
    self.proxies = proxies
    wallClock = clocks.wallClock
    stopwatch = clocks.stopwatch
    // A replay must repeat the recording exactly, so waits are not random when the network is replaced.
    let hasChance = transportOverride == nil
    patience =
      clocks.patience ?? Patience(delay: clocks.delay, random: { hasChance ? Double.random(in: 0..<1) : 0.5 })
    budgets = RateBudgets(stopwatch: stopwatch, delay: patience.delay, shared: membership?.pace)
    jobs = RateBudgets(stopwatch: stopwatch, delay: patience.delay, shared: membership?.pace)
    self.secrets = secrets
  }

  /// The rate budget of a flow for a host.
  ///
  /// A replay contacts no host. Each of its flows has its own budget, so that no flow waits for another flow.
  func budget(of flow: String, for origin: String) -> RateBudget { budgets.budget(for: host(origin, of: flow)) }

  /// The budget of jobs of a flow at a host. Each job counts as one request without a response.
  func jobBudget(of flow: String, for origin: String) -> RateBudget {
    jobs.budget(for: "jobs of \(host(origin, of: flow))")
  }

  private func host(_ origin: String, of flow: String) -> String {
    transportOverride?.isReplay ?? false ? "\(flow)\n\(origin)" : origin
  }

  /// The feed that passes a flow's records to its child flows.
  func feed(of id: String) -> RecordFeed {
    feeds.withLock { feeds in
      if let feed = feeds[id] { return feed }
      let feed = newFeed()
      feeds[id] = feed
      return feed
    }
  }

  /// Creates a feed that buffers records. A small part is in memory, the rest in a file without a name.
  func newFeed() -> RecordFeed { root.feed(orIn: [scratch]) }

  /// Opens a connection of a flow: the real one or its replacement.
  func connection(
    of plan: FlowPlan, name: String, baseURL: String, _ options: HTTPOptions
  ) throws(ReactorError) -> any Connection {
    let open: TransportOverride.Opening = { [self] () throws(ReactorError) in
      let transport = openTransport()
      return try HTTPConnection(
        baseURL: baseURL, client: transport.client, options: options, probe: transport.probe,
        tracing: tracing(of: plan, name)
      )
    }
    guard let transportOverride else { return DerivedSecretsConnection(try open(), secrets) }
    return DerivedSecretsConnection(
      try transportOverride.connection(
        TransportOverride.ConnectionKey(flow: plan.id, name: name, baseURL: try BaseURL(parsing: baseURL)), open),
      secrets)
  }

  /// What watches the requests of a flow to one of its servers; nil when nothing does.
  private func tracing(of plan: FlowPlan, _ name: String) -> FlowTracing? {
    // Whoever declares it means the server with the records. A token server is often that of another company.
    let isSent = plan.transfer.sendsTraceparent && name == "base"
    guard isSent || tracing.recorder != nil else { return nil }
    let mask = MessageMask()
    return FlowTracing(
      flow: plan.id, recorder: tracing.recorder, sent: isSent ? tracing.trace(ofRun: run) : nil, above: tracing.above
    ) { [self] text in mask.mask(text, of: plan, in: self) }
  }

  /// Opens the HTTP client at the first request. A run that uses only persisted results starts no thread and loads no
  /// TLS library.
  func openTransport() -> Transport {
    transport.withLock { transport in
      if let transport { return transport }
      let client = makeClient()
      let opened = Transport(client: client, probe: ReachabilityProbe(client: client))
      transport = opened
      return opened
    }
  }

  /// Ends all transfers and releases all files.
  ///
  /// If a refresh token is being replaced at that moment, the new token is persisted first. Flows compiled with this
  /// environment cannot run afterwards.
  public func close() async {
    await tokens.settle()
    let client = transport.withLock { $0 }?.client
    // Stop the client first: it closes its connections while this function closes the files.
    client?.stop()
    for database in databases.withLock({ $0 }).values { await database.close() }
    await root.close()
    if inputs !== root { await inputs.close() }
    client?.shutdown()
  }
}
