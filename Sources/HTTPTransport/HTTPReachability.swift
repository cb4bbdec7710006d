public import ReactorCore

/// Whether the host of one base URL can be reached, or its proxy: what a flow asks before its request.
public struct HTTPReachability: Reachability {
  private let origin: Origin
  private let options: HTTPOptions
  private let probe: ReachabilityProbe

  /// Builds the question; opens nothing.
  ///
  /// - Parameters:
  ///   - options: the connection's; its proxies and its rule on link-local addresses count.
  ///   - probe: keeps the answers of a batch.
  /// - Throws: `.server` when the base URL is none.
  public init(baseURL: String, probe: ReachabilityProbe, options: HTTPOptions = HTTPOptions()) throws(ReactorError) {
    origin = try probe.client.bases.base(baseURL).origin
    self.options = options
    self.probe = probe
  }

  /// Whether a connection to the base URL's host and port can be opened; the resource has no say in it.
  public func isReachable(_ resource: Resource) async -> Bool { await obstacle(to: resource) == nil }

  /// Names the host or the proxy, the port and the cause; nil when a connection can be opened.
  public func obstacle(to resource: Resource) async -> ReactorError? {
    await probe.obstacle(to: origin, options: options)
  }
}
