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
  /// The proxies that a flow uses unless it names its own.
  public let proxies: HTTPProxies
  /// How retries and rate limits wait.
  public let patience: Patience
  /// What the hosts of the run may be asked, shared by its flows.
  let budgets: RateBudgets
  private let transport = Mutex<Transport?>(nil)

  /// The client and the probes that go through it.
  struct Transport: Sendable {
    let client: HTTPClient
    let probe: ReachabilityProbe
  }

  /// Builds an environment.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - proxies: from the environment's `http_proxy`, `https_proxy` and `no_proxy`, read by the caller
  ///   - wallClock: the time of day
  ///   - stopwatch: the time that passes
  ///   - patience: how retries and rate limits wait
  public init(
    root: OutputRoot = OutputRoot(), proxies: HTTPProxies = HTTPProxies(), wallClock: WallClock = .system,
    stopwatch: Stopwatch = .continuous, patience: Patience = Patience()
  ) {
    self.root = root
    self.proxies = proxies
    self.wallClock = wallClock
    self.stopwatch = stopwatch
    self.patience = patience
    budgets = RateBudgets(stopwatch: stopwatch, pause: patience.pause)
  }

  /// Made with the first request: a run that is answered from persisted results starts no thread and no TLS library.
  func openTransport() -> Transport {
    transport.withLock { transport in
      if let transport { return transport }
      let client = HTTPClient()
      let opened = Transport(client: client, probe: ReachabilityProbe(client: client))
      transport = opened
      return opened
    }
  }

  /// Ends all transfers and lets go of files. Flows compiled with this environment cannot run afterwards.
  public func close() async {
    transport.withLock { $0 }?.client.shutdown()
    await root.close()
  }
}
