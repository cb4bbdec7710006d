public import Boxes

/// How a flow's requests are sent: the settings of `http`, and which failed requests are sent again.
public struct TransferDeclaration: Sendable {
  /// The maximum duration of a request, from the connection to the last byte, in seconds.
  public var timeout: Located<Double>
  /// The maximum size of a decoded response, in bytes.
  public var maxBytes: Int = 2 << 30
  /// Which redirects are followed.
  public var redirects = RedirectDeclaration.sameOrigin
  /// The servers to which connections are allowed; nil means all except link-local addresses.
  public var allow: [AllowDeclaration]?
  /// A file of trusted certificates, which replace the system's certificates.
  ///
  /// The path already includes the flow file's folder.
  @BoxedIfPresent public var caFile: Located<String>?
  /// The certificate that the client shows to the server; nil for none.
  @BoxedIfPresent public var clientCertificate: ClientCertificateDeclaration?
  /// The proxy that replaces the proxy of the environment; nil uses the environment's.
  @BoxedIfPresent public var proxy: ProxyDeclaration?
  /// Which failed requests are sent again, and when.
  @Boxed public var retry = RetryDeclaration()
  /// Rules for error responses. The first matching rule is used.
  public var errors: [ErrorRuleDeclaration] = []
  /// The limit on the rate of requests to the host.
  @Boxed public var rate = RateDeclaration()
  /// Whether equal requests of a run share a response.
  public var sharesResponses = false

  /// Creates the usual settings.
  init(timeout: Located<Double>) { self.timeout = timeout }
}
