internal import Authorization
public import HTTPTransport
public import ReactorCore
public import Storage
internal import Synchronization

/// Everything outside the program that flows touch, made once per run and handed down as values.
public final class FlowEnvironment: Sendable {
  /// Results live below it.
  public let root: OutputRoot
  /// The time of day, for stamps and expiry.
  public let wallClock: WallClock
  /// The time that passes, for durations.
  public let stopwatch: Stopwatch
  /// How flows let time pass.
  public let delay: Delay
  /// The proxies that a flow uses unless it names its own.
  let proxies: HTTPProxies
  /// How retries and rate limits wait.
  public let patience: Patience
  /// What the hosts of the run may be asked, shared by its flows.
  let budgets: RateBudgets
  /// Replaces the network of each flow; nil for the network itself.
  let transportOverride: TransportOverride?
  /// Files that flows take records from live below it: the root, unless results go elsewhere.
  let inputs: OutputRoot
  /// The folder below which single-use refresh tokens are persisted: who takes one has to persist its successor.
  let tokenRoot: String
  /// The credentials of the run, those included that it obtains.
  public let secrets: KnownSecrets
  /// The tokens of the run: flows that declare the same share one.
  let tokens = TokenSessions()
  /// A folder for what is held for a while, where the root cannot hold it.
  private let scratch: String
  private let transport = Mutex<Transport?>(nil)
  private let makeClient: @Sendable () -> HTTPClient
  /// The records of flows that others take, by the flow's id.
  private let feeds = Mutex<[String: RecordFeed]>([:])

  /// The client and the probes that go through it.
  struct Transport: Sendable {
    let client: HTTPClient
    let probe: ReachabilityProbe
  }

  /// The clocks.
  public struct Clocks: Sendable {
    /// The time of day.
    public var wallClock: WallClock
    /// The time that passes.
    public var stopwatch: Stopwatch
    /// How flows let time pass.
    public var delay: Delay
    /// How retries and rate limits wait; by `delay` unless given.
    public var patience: Patience?

    /// The system's clocks unless given.
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
  ///   - transportOverride: stands in for the network of each flow
  ///   - scratch: a folder for what is held for a while, where the root is not there or cannot be written
  ///   - secrets: is called with each credential before it is used
  ///   - inputs: files that flows take records from live below it; the root unless given
  ///   - tokenRoot: the folder below which single-use refresh tokens are persisted; the root unless given
  ///   - makeClient: called at most once, before the first request
  public init(
    root: OutputRoot = OutputRoot(), proxies: HTTPProxies = HTTPProxies(), clocks: Clocks = Clocks(),
    transportOverride: TransportOverride? = nil, scratch: String = "/tmp", secrets: KnownSecrets = KnownSecrets(),
    tokenRoot: String? = nil,
    inputs: OutputRoot? = nil, makeClient: @escaping @Sendable () -> HTTPClient = { HTTPClient() }
  ) {
    self.makeClient = makeClient
    self.inputs = inputs ?? root
    self.tokenRoot = tokenRoot ?? root.path
    delay = clocks.delay
    self.transportOverride = transportOverride
    self.scratch = scratch
    self.root = root
    self.proxies = proxies
    wallClock = clocks.wallClock
    stopwatch = clocks.stopwatch
    // What is recorded must come again: a stand-in for the network is waited for without chance.
    let hasChance = transportOverride == nil
    patience =
      clocks.patience ?? Patience(delay: clocks.delay, random: { hasChance ? Double.random(in: 0..<1) : 0.5 })
    budgets = RateBudgets(stopwatch: stopwatch, delay: patience.delay)
    self.secrets = secrets
  }

  /// What a flow may ask of a host; a replay asks none, so that no flow of one waits for another.
  func budget(of flow: String, for origin: String) -> RateBudget {
    budgets.budget(for: transportOverride?.isReplay ?? false ? "\(flow)\n\(origin)" : origin)
  }

  /// The way on which a flow's records go to those that take them.
  func feed(of id: String) -> RecordFeed {
    feeds.withLock { feeds in
      if let feed = feeds[id] { return feed }
      let feed = newFeed()
      feeds[id] = feed
      return feed
    }
  }

  /// Holds records for a while: a little in memory, the rest in a file without a name.
  func newFeed() -> RecordFeed { root.feed(orIn: [scratch]) }

  /// A connection of a flow: the real one, or what stands in for it.
  func connection(
    of flow: String, name: String, baseURL: String, _ options: HTTPOptions
  ) throws(ReactorError) -> any Connection {
    let open: TransportOverride.Opening = { [self] () throws(ReactorError) in
      let transport = openTransport()
      return try HTTPConnection(baseURL: baseURL, client: transport.client, options: options, probe: transport.probe)
    }
    guard let transportOverride else { return try open() }
    return try transportOverride.connection(
      TransportOverride.ConnectionKey(flow: flow, name: name, baseURL: try BaseURL(parsing: baseURL)), open)
  }

  /// Asked for with the first request: a run that uses persisted results only needs no thread and no TLS library.
  func openTransport() -> Transport {
    transport.withLock { transport in
      if let transport { return transport }
      let client = makeClient()
      let opened = Transport(client: client, probe: ReachabilityProbe(client: client))
      transport = opened
      return opened
    }
  }

  /// Ends all transfers and lets go of files; a refresh token that is being replaced is persisted first. Flows compiled with this environment cannot run afterwards.
  public func close() async {
    await tokens.settle()
    let client = transport.withLock { $0 }?.client
    // Connections are closed beside the files.
    client?.stop()
    await root.close()
    if inputs !== root { await inputs.close() }
    client?.shutdown()
  }
}
