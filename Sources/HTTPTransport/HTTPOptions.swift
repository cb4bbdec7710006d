public import ReactorCore

/// How a connection behaves: limits, redirects, proxies, TLS. The defaults are the published limits.
public struct HTTPOptions: Sendable, Hashable {
  /// Sent with every request; a resource's own field of the same name wins.
  public var headers: Headers = Headers()
  /// Names of header fields that are secrets in addition to the known ones (see ``HTTPOptions/isSecret(_:)``).
  public var secretHeaderNames: [String] = []
  /// Whether the requests' bodies hold a secret: then none is sent to another origin.
  public var hasSecretBody = false
  /// Credentials by value: a redirect that would take one of them to another origin in its URL is refused.
  public var secrets: KnownSecrets?
  /// The User-Agent field, unless a header says otherwise.
  public var userAgent: String = "reactor/0.1.0"
  /// Name resolution, TCP and TLS together; 1 ms to 1 h.
  public var connectTimeout: Duration = .seconds(10)
  /// The whole of one response, redirects and body included, from the request to the last byte; 1 ms to 7 days.
  public var timeout: Duration = .seconds(60)
  /// Bytes per second below which a transfer counts as stalled; 0 switches the check off.
  public var lowSpeedLimit: Int = 100
  /// How long a transfer may stay stalled, from the end of its head on; whole seconds, at least 1. Until the head is
  /// there `timeout` alone counts: many a report takes minutes to begin.
  public var lowSpeedTime: Duration = .seconds(30)
  /// Bytes of all heads of one response (informational ones and trailers included).
  public var maxHeaderBytes: Int = 256 * 1024
  /// Header fields of one response (informational ones and trailers included).
  public var maxHeaderFields: Int = 1_000
  /// Decoded bytes of one body.
  public var maxBodyBytes: Int = 2 * 1024 * 1024 * 1024
  /// Which redirects are followed.
  public var redirects: HTTPRedirects = HTTPRedirects()
  /// The proxies, given as values; nothing is read from the environment.
  public var proxies: HTTPProxies = HTTPProxies()
  /// A PEM file of certificate authorities in place of the system's.
  public var certificateFile: String?
  /// Whether certificates and host names are verified. Switch off for nothing but a test set-up.
  public var verifiesCertificates: Bool = true
  /// What alone may be connected to, after redirects too; nil is everything but link-local addresses, where clouds keep
  /// their metadata services.
  public var allow: HTTPAllowList?

  /// The defaults.
  public init() {}

  /// Whether a header field is a secret, which is never sent to another origin than the connection's own.
  ///
  /// Known are Authorization, Cookie, Proxy-Authorization, X-Api-Key and their common relatives.
  public func isSecret(_ name: String) -> Bool {
    Self.knownSecrets.contains { Headers.matches($0, name) }
      || secretHeaderNames.contains { Headers.matches($0, name) }
  }

  private static let knownSecrets = [
    "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Api-Key", "ApiKey", "X-Auth-Token",
    "X-Access-Token", "X-Amz-Security-Token", "Private-Token", "X-Csrf-Token",
  ]
}
