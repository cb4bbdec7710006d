internal import Authorization
package import HTTPTransport
package import ReactorCore

/// How a flow's requests are sent: limits, retries, rates and accepted statuses.
package struct TransferPlan: Sendable {
  /// The redirects that are followed.
  package enum Redirects: String, Sendable {
    case sameOrigin = "same_origin"
    case any, none
  }

  /// A host or a network to which connections are allowed.
  package enum Destination: Sendable {
    /// A pattern of host names.
    case host(String)
    /// A network: the addresses that begin with the same bits. `text` is its usual notation.
    case network(bytes: [UInt8], bits: Int, text: String)
  }

  /// The flow's own proxy setting.
  package enum Proxy: Sendable {
    case direct
    case url(String)
  }

  /// The maximum duration of a request, in seconds.
  package var requestTimeout = 60.0
  /// The maximum size of one body after decoding, in bytes.
  package var maxBodyBytes = 2 << 30
  package var redirects = Redirects.sameOrigin
  /// The only allowed destinations; nil to allow all except link-local addresses.
  package var allowed: [Destination]?
  /// A PEM file with certificate authorities, used instead of the system's.
  package var certificateFile: String?
  /// The certificate that the client shows to the server; nil for none.
  package var clientCertificate: HTTPClientCertificate?
  /// The proxy setting; nil for the proxies of the environment.
  package var proxy: Proxy?
  /// Which failed requests are retried.
  package var retry = RetryPolicy.none
  /// The rate limit for the host.
  package var pace = RatePace()
  /// The error rules. The first rule that applies to a response decides.
  package var rules: [ErrorRule] = []
  /// The accepted statuses; empty means 200–299.
  package var statuses: [ClosedRange<Int>] = []
  /// The maximum duration of the flow, in seconds.
  package var timeout = 3600.0
  /// Whether the host's reachability is checked before the request.
  package var checksReachability = false

  /// Whether equal requests of a run share a response.
  package var sharesResponses = false

  package init() {}

  /// The way to the server, as text: flows with different texts must not share what they received.
  var route: String {
    let certificate = clientCertificate.map { "\($0.certificate)\n\($0.key ?? "")" } ?? ""
    return "\(proxy, default: "")\n\(allowed, default: "")\n\(certificateFile ?? "")\n\(certificate)"
  }

  /// The HTTP options of the flow's connections, without environment proxies and secrets.
  var options: HTTPOptions {
    var options = HTTPOptions()
    options.timeout = .seconds(requestTimeout)
    // A longer request may also stall longer. libcurl counts whole seconds.
    options.lowSpeedTime = max(options.lowSpeedTime, .seconds(options.timeout.components.seconds / 2))
    options.maxBodyBytes = maxBodyBytes
    options.redirects = HTTPRedirects(
      scope: redirects == .sameOrigin ? .sameOrigin : redirects == .any ? .anyOrigin : .none)
    options.certificateFile = certificateFile
    options.clientCertificate = clientCertificate
    if case .url(let url)? = proxy { options.proxies = HTTPProxies(http: url, https: url) }
    guard let allowed else { return options }
    var list = HTTPAllowList()
    for destination in allowed {
      switch destination {
      case .host(let pattern): list.hosts.append(pattern)
      case .network(let bytes, let bits, _): list.networks.append(.init(bytes: bytes, bits: bits))
      }
    }
    options.allow = list
    return options
  }
}

extension FlowPlan {
  /// The HTTP options of connections to the flow's server.
  func options(in environment: FlowEnvironment) -> HTTPOptions {
    var options = transfer.options
    if transfer.proxy == nil { options.proxies = environment.proxies }
    if let password = transfer.clientCertificate?.password { environment.secrets.add(password) }
    options.secrets = environment.secrets
    options.secretHeaderNames = request.secretHeaderNames + auth.secretHeaderNames + (job?.secretHeaderNames ?? [])
    options.hasSecretBody = request.hasSecretBody || job?.hasSecretBody ?? false
    switch auth.location {
    case .header(let name)?: options.secretHeaderNames.append(name)
    case .body?: options.hasSecretBody = true
    case .query?, nil: break
    }
    return options
  }
}
