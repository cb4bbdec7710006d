internal import ReactorCore
internal import WebSyntax

/// Builds the requests of one connection: knows its base URL, its fields and its limits, and opens nothing.
struct RequestBuilder: Sendable {
  let settings: TransferSettings
  private let base: RequestBase

  /// The server that the requests go to.
  var origin: Origin { base.origin }

  init(_ base: RequestBase, _ settings: TransferSettings) {
    self.base = base
    self.settings = settings
  }

  /// What is sent for a resource.
  ///
  /// A target on another origin, to which a redirect has led the pages before it, gets no secrets.
  func plan(for resource: Resource) throws(ReactorError) -> RequestPlan {
    var plan = RequestPlan(
      method: resource.method.rawValue, url: try resource.url(relativeTo: base.url), origin: base.origin,
      fields: try settings.prepared.fields(resource.headers, options: settings.options), body: resource.body,
      deadline: MonotonicClock.now + UInt64(settings.options.timeout.milliseconds) * 1_000_000)
    guard resource.target != nil, !plan.url.hasPrefix(base.home) else { return plan }
    guard let target = try? WebURL(requesting: plan.url) else { throw .server("the URL cannot be read") }
    plan.url = target.requested
    plan.origin = Origin(target)
    guard plan.origin != base.origin else { return plan }
    plan.fields.dropSecrets(of: settings.options)
    let isInURL = settings.options.secrets?.isIn(url: plan.url) ?? false
    guard !isInURL, !(settings.options.hasSecretBody && plan.body != nil) else {
      throw .server("the request would take a secret to another origin, \(plan.origin), which is refused")
    }
    return plan
  }

  /// A plan ready for libcurl.
  func request(_ plan: RequestPlan) throws(ReactorError) -> TransferRequest {
    let origin = plan.origin
    let proxy = settings.options.proxies.proxy(for: origin)
    let needsRange = try needsRange(plan, isProxied: proxy != nil)
    let sendsBody = plan.body != nil || ["POST", "PUT", "PATCH"].contains(plan.method)
    let tunnels = proxy != nil && origin.scheme == "https"
    let way: PreparedFields.Way = proxy == nil ? .direct : tunnels ? .tunnel : .proxy
    let userAgent = settings.options.userAgent
    guard let lists = settings.prepared.lists(plan.fields, userAgent: userAgent, hasBody: sendsBody, way: way) else {
      throw .server(HTTPClient.missingLibrary ?? "memory is short")
    }
    return TransferRequest(
      method: plan.method, url: plan.url, headers: lists.server, proxyHeaders: lists.proxy, body: plan.body,
      proxy: proxy, asksForRange: plan.fields.asksForRange, needsRange: needsRange, deadline: plan.deadline,
      settings: settings)
  }

  /// Whether the address must be looked at when the connection is opened, the host not being listed by name.
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
