public import WebSyntax

/// An entry of `http.allow`: servers to which connections are allowed.
public enum AllowDeclaration: Sendable, Hashable {
  /// Hosts whose name matches a pattern in lower case. `*` matches any characters.
  case host(String)
  /// Addresses whose first `bits` bits are equal to those of `bytes`.
  ///
  /// `bytes` has 4 bytes (IPv4) or 16 bytes (IPv6). `text` is the entry in its usual notation.
  case network(bytes: [UInt8], bits: Int, text: String)

  /// The entry as messages show it.
  public var text: String {
    switch self {
    case .host(let pattern): pattern
    case .network(_, _, let text): text
    }
  }
}

/// The proxy that replaces the proxy of the environment.
public enum ProxyDeclaration: Sendable {
  /// No proxy, even if the environment declares one.
  case direct
  /// The URL of a proxy, which may contain templates.
  case url(Located<Template>)
}

/// Which redirects are followed.
public enum RedirectDeclaration: String, Sendable, Hashable, CaseIterable {
  /// Redirects to the same scheme, host and port.
  case sameOrigin = "same_origin"
  /// All redirects except from https to http. Headers with secrets are sent only to the first origin.
  case any
  /// No redirects: a redirect is an error.
  case none
}

/// The limit on the rate of requests to a host.
public struct RateDeclaration: Sendable {
  /// The number of requests that may start within any window of a given length.
  public struct Limit: Sendable, Hashable {
    /// The number of requests, at least 1.
    public var requests: Int
    /// The length of the window, in seconds.
    public var seconds: Double

    /// Builds a limit.
    public init(requests: Int, seconds: Double) {
      self.requests = requests
      self.seconds = seconds
    }
  }

  /// Limits for the requests with certain paths and methods.
  public struct Budget: Sendable {
    /// Patterns of paths, of which one must match; empty for all paths.
    public var paths: [String]
    /// The methods; empty for all.
    public var methods: [String]
    /// The limits, at least one; all of them hold.
    public var max: [Setting<Limit>]
  }

  /// Which header fields with the server's limit are obeyed.
  public enum Follow: Sendable {
    case usual, nothing
    case fields(Located<LimitFields>)
  }

  /// The limits for all requests; all of them hold.
  public var max: [Setting<Limit>] = []
  /// The limits for some of the requests.
  public var budgets: [Budget] = []
  /// The maximum number of requests that wait for a response at the same time; nil means no limit.
  public var concurrency: Int?
  /// Which rate limits in response headers are obeyed.
  public var follow = Follow.usual

  /// Creates a declaration without limits, except those in response headers.
  public init() {}
}

/// The files by which the client shows who it is. The paths already include the flow file's folder.
public struct ClientCertificateDeclaration: Sendable {
  /// A file with the certificate.
  public var certificate: Located<String>
  /// A file with the private key; nil if the certificate's file contains it.
  public var key: Located<String>?
  /// The password of the private key.
  public var password: Located<Template>?
}
