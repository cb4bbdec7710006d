public import HTTPTransport
public import ReactorCore
public import Storage

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
  let client: HTTPClient
  let probe: ReachabilityProbe

  /// Builds an environment.
  ///
  /// - Parameters:
  ///   - root: the output root
  ///   - proxies: from the environment's `http_proxy`, `https_proxy` and `no_proxy`, read by the caller
  ///   - wallClock: the time of day
  ///   - stopwatch: the time that passes
  public init(
    root: OutputRoot = OutputRoot(), proxies: HTTPProxies = HTTPProxies(), wallClock: WallClock = .system,
    stopwatch: Stopwatch = .continuous
  ) {
    self.root = root
    self.proxies = proxies
    self.wallClock = wallClock
    self.stopwatch = stopwatch
    client = HTTPClient()
    probe = ReachabilityProbe(client: client)
  }

  /// Ends all transfers and lets go of files. Flows compiled with this environment cannot run afterwards.
  public func close() async {
    client.shutdown()
    await root.close()
  }
}
