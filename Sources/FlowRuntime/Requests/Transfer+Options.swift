internal import Authorization
internal import FlowModel
internal import HTTPTransport
internal import ReactorCore

extension Transfer {
  /// The network settings as text. Flows with different texts must not share responses.
  var route: String {
    let way =
      switch proxy {
      case nil: ""
      case .direct?: "direct"
      case .url(let url)?: url.constant ?? ""
      }
    let certificate = clientCertificate.map { "\($0.certificate)\n\($0.key ?? "")" } ?? ""
    return "\(way)\n\(allow, default: "")\n\(caFile ?? "")\n\(certificate)"
  }

  /// The HTTP options of the flow's connections, without environment proxies and secrets.
  var options: HTTPOptions {
    var options = HTTPOptions()
    options.timeout = .seconds(timeout)
    // A request with a longer timeout may also stall longer. libcurl counts whole seconds.
    options.lowSpeedTime = max(options.lowSpeedTime, .seconds(options.timeout.components.seconds / 2))
    options.maxBodyBytes = maxBytes
    options.redirects = HTTPRedirects(
      scope: redirects == .sameOrigin ? .sameOrigin : redirects == .any ? .anyOrigin : .none)
    options.certificateFile = caFile
    options.clientCertificate = clientCertificate.map {
      HTTPClientCertificate(certificate: $0.certificate, key: $0.key, password: $0.password?.constant)
    }
    if case .url(let url)? = proxy, let url = url.constant { options.proxies = HTTPProxies(http: url, https: url) }
    guard let allow else { return options }
    var list = HTTPAllowList()
    for destination in allow {
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
    if let password = options.clientCertificate?.password { environment.secrets.add(password) }
    options.secrets = environment.secrets
    let requests = [request] + (job?.requests ?? [])
    options.secretHeaderNames = requests.flatMap(\.secretHeaderNames)
    options.hasSecretBody = requests.contains { $0.hasSecretBody }
    for location in auth.auth?.locations ?? [] {
      switch location {
      case .header(let name): options.secretHeaderNames.append(name)
      case .body: options.hasSecretBody = true
      case .query: break
      }
    }
    return options
  }
}
