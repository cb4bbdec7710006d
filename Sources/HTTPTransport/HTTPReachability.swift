public import ReactorCore

/// Checks whether the host of one base URL, or its proxy, is reachable.
public struct HTTPReachability: Reachability {
  private let origin: Origin
  private let options: HTTPOptions
  private let probe: ReachabilityProbe

  /// Creates a check; opens no connection.
  ///
  /// - Parameters:
  ///   - probe: shares its results among the checks of a run
  ///   - options: the connection's options, of which the proxies and the allowed addresses are used
  /// - Throws: `.server` when the base URL cannot be used.
  public init(baseURL: String, probe: ReachabilityProbe, options: HTTPOptions = HTTPOptions()) throws(ReactorError) {
    self.init(origin: Origin(try BaseURL(parsing: baseURL)), probe: probe, options: options)
  }

  init(origin: Origin, probe: ReachabilityProbe, options: HTTPOptions) {
    self.origin = origin
    self.options = options
    self.probe = probe
  }

  /// Whether a connection to the base URL's host and port can be opened. The resource does not matter.
  public func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  /// The error that names the host or the proxy, the port and the cause. Nil when a connection can be opened.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    await probe.obstacle(to: origin, options: options)
  }
}
