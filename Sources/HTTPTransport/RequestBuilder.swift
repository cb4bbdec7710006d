internal import ReactorCore
internal import WebSyntax

/// Builds the requests of one connection from its base URL, header fields and limits.
///
/// Opens no connection.
struct RequestBuilder: Sendable {
  let settings: TransferSettings
  /// The origin of the base URL.
  let origin: Origin
  private let base: BaseURL
  /// Watches the requests; nil in almost all runs, which then spend nothing on it.
  private let tracing: (any RequestTracing)?

  init(_ base: BaseURL, _ settings: TransferSettings, _ tracing: (any RequestTracing)? = nil) {
    self.base = base
    self.settings = settings
    self.tracing = tracing
    origin = Origin(base)
  }

  /// Creates the plan of the request for a resource.
  ///
  /// The resource's target may be on another origin, when a redirect led earlier pages there. Such a target gets no
  /// secrets.
  func plan(for resource: Resource) throws(ReactorError) -> RequestPlan {
    var plan = RequestPlan(
      method: resource.method.rawValue, url: try resource.url(relativeTo: base), origin: origin,
      fields: try RequestFields(resource.headers, options: settings.options), body: resource.body,
      deadline: MonotonicClock.now + UInt64(settings.options.timeout.milliseconds) * 1_000_000,
      resends: resource.resends)
    guard resource.target != nil, !plan.url.hasPrefix(base.origin + "/") else { return plan }
    guard let target = try? WebURL(requesting: plan.url) else { throw .server("the URL is not valid") }
    plan.url = target.requested
    plan.origin = Origin(target)
    guard plan.origin != origin else { return plan }
    plan.fields.dropSecrets(of: settings.options)
    let isInURL = settings.options.secrets?.isIn(url: plan.url) ?? false
    guard !isInURL, !(settings.options.hasSecretBody && plan.body != nil) else {
      throw .server("the request would send a secret to another origin, \(plan.origin), which is refused")
    }
    return plan
  }

  /// Converts a plan to a request for libcurl.
  func request(_ plan: RequestPlan) throws(ReactorError) -> TransferRequest {
    let origin = plan.origin
    let proxy = settings.options.proxies.proxy(for: origin)
    let needsRange = try needsRange(plan, isProxied: proxy != nil)
    let sendsBody = plan.body != nil || ["POST", "PUT", "PATCH"].contains(plan.method)
    // With https the proxy only forwards a tunnel, so it gets only the header fields meant for the proxy.
    let tunnels = proxy != nil && origin.scheme == "https"
    let span = tracing?.span(for: plan.traced)
    let lines = plan.fields.lines(
      userAgent: settings.options.userAgent, traceparent: origin == self.origin ? tracing?.traceparent(of: span) : nil,
      hasBody: sendsBody, toProxy: proxy != nil && !tunnels)
    guard let headers = HeaderList(lines), let proxyHeaders = HeaderList(tunnels ? plan.fields.proxyLines : []) else {
      throw .server(HTTPClient.missingLibrary ?? "there is not enough memory")
    }
    return TransferRequest(
      method: plan.method, url: plan.url, headers: headers, proxyHeaders: proxyHeaders, body: plan.body,
      proxy: proxy, asksForRange: plan.fields.asksForRange, needsRange: needsRange,
      clientCertificate: origin == self.origin ? settings.options.clientCertificate : nil, deadline: plan.deadline,
      settings: settings, span: span)
  }

  /// Whether the address must be checked when the connection is opened, because the host is not listed by name.
  private func needsRange(_ plan: RequestPlan, isProxied: Bool) throws(ReactorError) -> Bool {
    let origin = plan.origin
    let list = settings.options.allow
    let isListed = list?.lists(name: origin.host) ?? true
    if isProxied, let refusal = AddressGuard.refusal(ofLiteral: origin.host, needsRange: !isListed, list: list) {
      throw .server("\(plan.method) \(origin): \(refusal.reason)")
    }
    if isListed { return false }
    let isName = !origin.host.hasPrefix("[") && InternetAddress(origin.host) == nil
    guard isName, isProxied || list?.networks.isEmpty == true else { return !isProxied }
    throw .server("\(plan.method) \(origin): 'http.allow' does not list the host \(origin.host)")
  }
}
