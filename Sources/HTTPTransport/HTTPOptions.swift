public import ReactorCore

/// The options of a connection: limits, redirects, proxies, TLS.
///
/// The defaults are the documented limits.
public struct HTTPOptions: Sendable, Hashable {
  /// Header fields of every request. A field of the resource replaces a field of the same name.
  public var headers: Headers = Headers()
  /// Names of header fields that are secret, in addition to the known names (see ``HTTPOptions/isSecret(_:)``).
  public var secretHeaderNames: [String] = []
  /// Whether the bodies of requests contain a secret. Then no body is sent to another origin.
  public var hasSecretBody = false
  /// The values of credentials.
  ///
  /// A redirect whose URL would send one of these values to another origin is refused.
  public var secrets: KnownSecrets?
  /// The value of the User-Agent field, unless ``headers`` or the resource sets that field.
  public var userAgent: String = "reactor/\(ReactorVersion.text)"
  /// The time limit for name resolution, TCP and TLS together, 1 ms to 1 h.
  public var connectTimeout: Duration = .seconds(10)
  /// The time limit from the request to the last byte of the body, 1 ms to 7 days. Redirects are included.
  public var timeout: Duration = .seconds(60)
  /// The speed below which a transfer is stalled, in bytes per second. The value 0 disables the check.
  public var lowSpeedLimit: Int = 100
  /// How long a transfer may be stalled after its head has arrived, in whole seconds, at least 1.
  ///
  /// Before the head arrives only `timeout` applies, because a server may need minutes before it starts to send a
  /// report.
  public var lowSpeedTime: Duration = .seconds(30)
  /// The maximum size of all heads of one response in bytes, informational heads and trailers included.
  public var maxHeaderBytes: Int = 256 * 1024
  /// The maximum number of header fields of one response, informational heads and trailers included.
  public var maxHeaderFields: Int = 1_000
  /// The maximum size of one decoded body in bytes.
  public var maxBodyBytes: Int = 2 * 1024 * 1024 * 1024
  /// Which redirects are followed.
  public var redirects: HTTPRedirects = HTTPRedirects()
  /// The proxies; no proxy is read from the environment.
  public var proxies: HTTPProxies = HTTPProxies()
  /// The path of a PEM file of certificate authorities; nil to use those of the operating system.
  public var certificateFile: String?
  /// The client certificate, which is sent only to the connection's own origin, and only if the server requests one.
  public var clientCertificate: HTTPClientCertificate?
  /// Whether certificates and host names are verified. Disable this only in tests.
  public var verifiesCertificates: Bool = true
  /// The only hosts and addresses that may be connected to, also after redirects.
  ///
  /// Nil allows everything except link-local addresses, where clouds run their metadata services.
  public var allow: HTTPAllowList?

  /// Creates the default options.
  public init() {}

  /// Whether a header field is a secret, which is sent only to the connection's own origin.
  ///
  /// The known names are Authorization, Cookie, Proxy-Authorization, X-Api-Key and similar common names.
  public func isSecret(_ name: String) -> Bool {
    Self.knownSecrets.contains { Headers.matches($0, name) }
      || secretHeaderNames.contains { Headers.matches($0, name) }
  }

  private static let knownSecrets = [
    "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Api-Key", "ApiKey", "X-Auth-Token",
    "X-Access-Token", "X-Amz-Security-Token", "Private-Token", "X-Csrf-Token",
  ]
}
