public import ReactorCore

/// The real connection: resources of one base URL, asked through libcurl within the limits of its options.
///
/// ```swift
/// let client = HTTPClient()
/// let connection = try HTTPConnection(baseURL: "https://api.example.com/v2", client: client)
/// let response = try await connection.response(for: Resource(path: "/customers", method: .GET))
/// while let chunk = try await response.body.next() { … }
/// ```
///
/// The body arrives decoded; the header fields are those that the server sent. Reading slowly slows the server down, and
/// dropping the response stops the transfer.
public struct HTTPConnection: Connection {
  private let base: BaseURL
  private let origin: Origin
  private let client: HTTPClient
  private let settings: TransferSettings
  private let prepared = PreparedFields()

  /// Builds a connection; opens nothing.
  ///
  /// - Throws: `.server` when the base URL, the User-Agent or a header of the options cannot be sent.
  public init(baseURL: String, client: HTTPClient, options: HTTPOptions = HTTPOptions()) throws(ReactorError) {
    base = try BaseURL(parsing: baseURL)
    origin = try Origin(of: baseURL)
    self.client = client
    settings = TransferSettings(options)
    guard HeaderSyntax.isValue(options.userAgent) else { throw .server("the User-Agent holds a control character") }
    _ = try RequestFields(Headers(), options: options)
  }

  /// Sends the request and follows redirects; returns with the head of the final answer.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    let options = settings.options
    if Task.isCancelled { throw .cancelled }
    guard resource.method != .CONNECT else { throw .server("CONNECT asks for a tunnel, not for a resource") }
    let deadline = MonotonicClock.now + UInt64(options.timeout.milliseconds) * 1_000_000
    let rules = RedirectRules(policy: options.redirects)
    var fields = try prepared.fields(resource.headers, options: options)
    var url = try resource.url(relativeTo: base)
    var address: WebAddress?
    var method = resource.method.rawValue
    var body = resource.body
    var followed = 0
    while true {
      let request = try request(
        method, url, origin: address?.origin ?? origin, fields: fields, body: body, deadline: deadline)
      let transfer = try client.start(request)
      let head = try await transfer.awaitHead()
      let step = try step(after: head, of: transfer, from: address, method: method, followed: followed, rules: rules)
      guard let step else {
        return Response(
          status: head.status, headers: head.headers, url: url,
          body: ResponseBody(AnswerBody(transfer, head: head, client: client)))
      }
      try checkSecrets(step, body: body, transfer)
      await drain(transfer)
      if !step.keepsSecrets { fields.dropSecrets() }
      if !step.keepsBody {
        body = nil
        fields.dropContent()
      }
      method = step.method
      url = step.address.text
      address = step.address
      followed += 1
    }
  }

  private func step(
    after head: AnswerHead, of transfer: Transfer, from address: WebAddress?, method: String, followed: Int,
    rules: RedirectRules
  ) throws(ReactorError) -> RedirectRules.Step? {
    guard (300..<400).contains(head.status) else { return nil }
    do {
      let here = try address ?? WebAddress(transfer.request.url)
      return try rules.step(
        status: head.status, locations: head.headers.values("Location"), from: here, method: method,
        followed: followed)
    } catch let refusal as RedirectRules.Refusal {
      transfer.abandon()
      throw transfer.error("the answer \(refusal.reason)")
    } catch {
      transfer.abandon()
      throw transfer.error("the URL cannot be read")
    }
  }

  /// Refuses to take a secret along to another origin where it cannot be left out: in the URL that the server names, or
  /// in a body that has to be sent again.
  private func checkSecrets(
    _ step: RedirectRules.Step, body: [UInt8]?, _ transfer: Transfer
  ) throws(ReactorError) {
    guard !step.keepsSecrets else { return }
    let options = settings.options
    let reason: String
    if options.secrets?.isIn(url: step.address.text) == true {
      reason = "to another origin, \(step.address.origin), with a secret in the URL"
    } else if options.hasSecretBody, body != nil, step.keepsBody {
      reason = "the body, which holds a secret, to another origin, \(step.address.origin)"
    } else {
      return
    }
    transfer.abandon()
    throw transfer.error("the answer redirects \(reason), which is refused")
  }

  private func request(
    _ method: String, _ url: String, origin: Origin, fields: RequestFields, body: [UInt8]?, deadline: UInt64
  ) throws(ReactorError) -> TransferRequest {
    let proxy = settings.options.proxies.proxy(for: origin)
    let needsRange = try needsRange(origin, isProxied: proxy != nil, label: "\(method) \(origin)")
    let sendsBody = body != nil || ["POST", "PUT", "PATCH"].contains(method)
    let tunnels = proxy != nil && origin.scheme == "https"
    let way: PreparedFields.Way = proxy == nil ? .direct : tunnels ? .tunnel : .proxy
    guard let lists = prepared.lists(fields, hasBody: sendsBody, way: way) else { throw .server("memory is short") }
    return TransferRequest(
      method: method, url: url, headers: lists.server, proxyHeaders: lists.proxy, body: body, proxy: proxy,
      asksForRange: fields.asksForRange, needsRange: needsRange, deadline: deadline, settings: settings)
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

  /// Reads the small body that comes with a redirect, so that the connection can be used again.
  private func drain(_ transfer: Transfer) async {
    var count = 0
    while count < 64 * 1024 {
      // What goes wrong here does not matter to the next request, whose own limits hold.
      guard let chunk = try? await transfer.nextChunk() else { break }
      count += chunk.count
    }
    transfer.abandon()
  }
}
