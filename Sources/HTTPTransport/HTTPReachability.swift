public import ReactorCore

/// Whether the host of one base URL, or its proxy, can be reached.
public struct HTTPReachability: Reachability {
  private let origin: Origin
  private let options: HTTPOptions
  private let probe: ReachabilityProbe

  /// A check; opens nothing.
  ///
  /// - Parameters:
  ///   - probe: shares its findings among the checks of a run
  ///   - options: the connection's; its proxies and its rule on link-local addresses count
  /// - Throws: `.server` when the base URL cannot be used.
  public init(baseURL: String, probe: ReachabilityProbe, options: HTTPOptions = HTTPOptions()) throws(ReactorError) {
    self.init(origin: Origin(try BaseURL(parsing: baseURL)), probe: probe, options: options)
  }

  init(origin: Origin, probe: ReachabilityProbe, options: HTTPOptions) {
    self.origin = origin
    self.options = options
    self.probe = probe
  }

  /// Whether a connection to the base URL's host and port can be opened; the resource does not matter.
  public func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  /// Names the host or the proxy, the port and the cause; nil when a connection can be opened.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    await probe.obstacle(to: origin, options: options)
  }
}
