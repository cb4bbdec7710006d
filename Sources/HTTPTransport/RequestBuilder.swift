internal import ReactorCore

/// Builds the requests of one connection: knows its base URL, its fields and its limits, and opens nothing.
struct RequestBuilder: Sendable {
  let settings: TransferSettings
  private let base: RequestBase
  private let prepared = PreparedFields()

  /// - Throws: `.server` when the User-Agent or a header of the options cannot be sent.
  init(_ base: RequestBase, options: HTTPOptions) throws(ReactorError) {
    self.base = base
    settings = TransferSettings(options)
    guard HeaderSyntax.isValue(options.userAgent) else { throw .server("the User-Agent holds a control character") }
    _ = try RequestFields(Headers(), options: options)
  }

  /// What is sent for a resource.
  ///
  /// A target on another origin, to which a redirect has led the pages before it, gets no secrets.
  func plan(for resource: Resource) throws(ReactorError) -> RequestPlan {
    let options = settings.options
    var plan = RequestPlan(
      method: resource.method.rawValue, url: try resource.url(relativeTo: base.url), origin: base.origin,
      fields: try prepared.fields(resource.headers, options: options), body: resource.body,
      deadline: MonotonicClock.now + UInt64(options.timeout.milliseconds) * 1_000_000)
    guard resource.target != nil, !plan.url.hasPrefix(base.home) else { return plan }
    guard let address = try? WebAddress(plan.url) else { throw .server("the URL cannot be read") }
    plan.origin = address.origin
    guard plan.origin != base.origin else { return plan }
    plan.fields.dropSecrets()
    let isInURL = options.secrets?.isIn(url: plan.url) ?? false
    guard !isInURL, !(options.hasSecretBody && plan.body != nil) else {
      throw .server("the request would take a secret to another origin, \(plan.origin), which is refused")
    }
    return plan
  }

  /// A plan ready for libcurl.
  func request(_ plan: RequestPlan) throws(ReactorError) -> TransferRequest {
    let origin = plan.origin
    let proxy = settings.options.proxies.proxy(for: origin)
    let needsRange = try needsRange(origin, isProxied: proxy != nil, label: "\(plan.method) \(origin)")
    let sendsBody = plan.body != nil || ["POST", "PUT", "PATCH"].contains(plan.method)
    let tunnels = proxy != nil && origin.scheme == "https"
    let way: PreparedFields.Way = proxy == nil ? .direct : tunnels ? .tunnel : .proxy
    guard let lists = prepared.lists(plan.fields, hasBody: sendsBody, way: way) else {
      throw .server("memory is short")
    }
    return TransferRequest(
      method: plan.method, url: plan.url, headers: lists.server, proxyHeaders: lists.proxy, body: plan.body,
      proxy: proxy, asksForRange: plan.fields.asksForRange, needsRange: needsRange, deadline: plan.deadline,
      settings: settings)
  }

  /// Whether the address must be looked at when the connection is opened, the host not being listed by name.
  private func needsRange(_ origin: Origin, isProxied: Bool, label: String) throws(ReactorError) -> Bool {
    let list = settings.options.allow
    let isListed = list?.lists(name: origin.host) ?? true
    if isProxied, let refusal = AddressGuard.refusal(ofLiteral: origin.host, needsRange: !isListed, list: list) {
      throw .server("\(label): \(refusal.reason)")
    }
    if isListed { return false }
    let isName = !origin.host.hasPrefix("[") && InternetAddress(origin.host) == nil
    guard isName, isProxied || list?.networks.isEmpty == true else { return !isProxied }
    throw .server("\(label): 'http.allow' does not list the host \(origin.host)")
  }
}
