internal import Authorization
internal import HTTPTransport
package import ReactorCore

/// How a flow's requests are sent: limits, retries, rates, and which responses count.
package struct TransferPlan: Sendable {
  /// Which redirects are followed.
  package enum Redirects: String, Sendable {
    case sameOrigin = "same_origin"
    case any, none
  }

  /// A host or a network that may be connected to.
  package enum Destination: Sendable {
    /// A pattern of host names.
    case host(String)
    /// Addresses that begin with the same bits; the text is their usual notation.
    case network(bytes: [UInt8], bits: Int, text: String)
  }

  /// The proxy of the flow itself.
  package enum Proxy: Sendable {
    case direct
    case url(String)
  }

  /// The longest a request may take, in seconds.
  package var requestTimeout = 60.0
  /// Decoded bytes of one body.
  package var maxBodyBytes = 2 << 30
  package var redirects = Redirects.sameOrigin
  /// What alone may be connected to; nil for everything but link-local addresses.
  package var allowed: [Destination]?
  /// A PEM file of certificate authorities in place of the system's.
  package var certificateFile: String?
  /// Nil for the proxies of the environment.
  package var proxy: Proxy?
  /// Which requests are sent again.
  package var retry = RetryPolicy.none
  /// How fast the host may be asked.
  package var pace = RatePace()
  /// What is done about responses that are errors; the first rule that applies counts.
  package var rules: [ErrorRule] = []
  /// Statuses taken as success, instead of 200–299; empty means 200–299.
  package var statuses: [ClosedRange<Int>] = []
  /// The longest the flow may take, in seconds.
  package var timeout = 3600.0
  /// Whether the host is probed before the request.
  package var checksReachability = false

  package init() {}

  /// How connections behave, without proxies of the environment and without secrets.
  var options: HTTPOptions {
    var options = HTTPOptions()
    options.timeout = .seconds(requestTimeout)
    // A longer request may also stall longer; in whole seconds, as libcurl counts them.
    options.lowSpeedTime = max(options.lowSpeedTime, .seconds(options.timeout.components.seconds / 2))
    options.maxBodyBytes = maxBodyBytes
    options.redirects = HTTPRedirects(
      scope: redirects == .sameOrigin ? .sameOrigin : redirects == .any ? .anyOrigin : .none)
    options.certificateFile = certificateFile
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
  /// How connections to the flow's server behave.
  func options(in environment: FlowEnvironment) -> HTTPOptions {
    var options = transfer.options
    if transfer.proxy == nil { options.proxies = environment.proxies }
    options.secrets = environment.secrets
    options.secretHeaderNames = request.secretHeaderNames
    options.hasSecretBody = request.hasSecretBody
    switch auth.location {
    case .header(let name)?: options.secretHeaderNames.append(name)
    case .body?: options.hasSecretBody = true
    case .query?, nil: break
    }
    return options
  }
}
