public import Boxes

/// How requests are sent: the settings of `http`, and which failed requests are sent again.
///
/// All flows of a file that have no settings of their own share one object.
public struct Transfer: Sendable {
  /// Which redirects are followed.
  public enum Redirects: String, Sendable, Hashable, CaseIterable {
    /// Redirects to the same scheme, host and port.
    case sameOrigin = "same_origin"
    /// All redirects except from https to http. Headers with secrets are sent only to the first origin.
    case any
    /// No redirects: a redirect is an error.
    case none
  }

  /// An entry of `http.allow`: servers to which connections are allowed.
  public enum Destination: Sendable, Hashable {
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
  public enum Proxy: Sendable {
    /// No proxy, even if the environment declares one.
    case direct
    /// The URL of a proxy.
    case url(Setting<String>)
  }

  /// The files with which the client identifies itself to the server. The paths already include the flow file's folder.
  public struct ClientCertificate: Sendable {
    /// A file with the certificate.
    public var certificate: String
    /// A file with the private key; nil if the certificate's file contains it.
    public var key: String?
    /// The password of the private key; nil if it has none.
    public var password: Setting<String>?

    /// Creates a certificate from the paths of its files.
    public init(certificate: String, key: String?, password: Setting<String>?) {
      self.certificate = certificate
      self.key = key
      self.password = password
    }
  }

  /// The maximum duration of a request, from the connection to the last byte, in seconds.
  public var timeout = 60.0
  /// The maximum size of a decoded response, in bytes.
  public var maxBytes = 2 << 30
  /// Which redirects are followed.
  public var redirects = Redirects.sameOrigin
  /// The servers to which connections are allowed; nil means all except link-local addresses.
  public var allow: [Destination]?
  /// A file with trusted certificates, which replace the system's certificates.
  ///
  /// The path already includes the flow file's folder.
  public var caFile: String?
  /// The certificate that the client shows to the server; nil for none.
  @BoxedIfPresent public var clientCertificate: ClientCertificate?
  /// The proxy that replaces the proxy of the environment; nil uses the environment's.
  @BoxedIfPresent public var proxy: Proxy?
  /// Which failed requests are sent again, and when.
  @Boxed public var retry = Retry()
  /// Rules for error responses. The first matching rule is used.
  public var errors: [ErrorRule] = []
  /// The limit on the rate of requests to the host.
  @Boxed public var rate = Rate()
  /// Whether equal requests of a run share a response.
  public var sharesResponses = false
  /// Whether requests name the trace of the run and their span in the field `traceparent`.
  public var sendsTraceparent = false

  /// Creates the default settings.
  public init() {}
}
