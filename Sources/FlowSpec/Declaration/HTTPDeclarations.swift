/// An entry of `http.allow`: a server that may be connected to.
public enum AllowDeclaration: Sendable, Hashable {
  /// Hosts whose name matches a pattern: lower case, `*` means any characters.
  case host(String)
  /// Addresses that begin with the same bits: 4 bytes (IPv4) or 16 (IPv6), and how many bits count. The text is the
  /// entry in its usual notation.
  case network(bytes: [UInt8], bits: Int, text: String)

  /// The entry as messages show it.
  public var text: String {
    switch self {
    case .host(let pattern): pattern
    case .network(_, _, let text): text
    }
  }
}

/// The proxy instead of the environment's.
public enum ProxyDeclaration: Sendable {
  /// None, even if the environment has one.
  case direct
  /// This one, with templates.
  case url(Located<Template>)
}

/// Which redirects are followed.
public enum RedirectDeclaration: String, Sendable, Hashable, CaseIterable {
  /// Those that stay on the same scheme, host and port.
  case sameOrigin = "same_origin"
  /// All except https to http; headers with secrets are sent only to the first origin.
  case any
  /// None: a redirect is an error.
  case none
}

/// The limit on the rate of requests to a host.
public struct RateDeclaration: Sendable, Hashable {
  /// The number of requests that may start within any window of a time.
  public struct Limit: Sendable, Hashable {
    /// Requests, at least 1.
    public var requests: Int
    /// The window, in seconds.
    public var seconds: Double

    /// Builds a limit.
    public init(requests: Int, seconds: Double) {
      self.requests = requests
      self.seconds = seconds
    }
  }

  /// The maximum number of requests in a window; nil: no limit.
  public var max: Limit?
  /// The maximum number of requests that wait for a response at once; nil: no limit.
  public var concurrency: Int?
  /// Whether the limits in response headers are followed.
  public var followsHeaders = true

  /// No limit but the server's.
  public init() {}
}
