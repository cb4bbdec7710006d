public import ReactorCore
internal import WebSyntax

/// A connection that requests resources of one base URL over the network, through libcurl.
///
/// ```swift
/// let client = HTTPClient()
/// let connection = try HTTPConnection(baseURL: "https://api.example.com/v2", client: client)
/// let response = try await connection.response(for: Resource(path: "/customers", method: .GET))
/// while let chunk = try await response.body.next() { take(chunk) }
/// ```
///
/// The options limit every request. The body arrives decoded; the header fields are the ones that the server sent.
/// Reading slowly slows the server down. Releasing the response stops the transfer.
public struct HTTPConnection: Connection {
  /// The base URL as it was given.
  public let baseURL: String

  private let client: HTTPClient
  private let builder: RequestBuilder
  private let probe: ReachabilityProbe

  /// Creates a connection object; opens no network connection.
  ///
  /// - Parameters:
  ///   - probe: shared by all connections of a run; nil creates a probe for this connection alone
  ///   - tracing: watches the requests; nil for none
  /// - Throws: `.server` when the base URL, the User-Agent or a header of the options cannot be sent.
  public init(
    baseURL: String, client: HTTPClient, options: HTTPOptions = HTTPOptions(), probe: ReachabilityProbe? = nil,
    tracing: (any RequestTracing)? = nil
  ) throws(ReactorError) {
    self.baseURL = baseURL
    self.client = client
    self.probe = probe ?? ReachabilityProbe(client: client)
    builder = RequestBuilder(try BaseURL(parsing: baseURL), try client.settings.settings(options), tracing)
  }

  /// Checks whether the base URL's host, or the proxy for that host, accepts a connection.
  public var reachability: any Reachability {
    HTTPReachability(origin: builder.origin, probe: probe, options: builder.settings.options)
  }

  /// Sends the request and follows redirects. Returns when the head of the final response has arrived.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    if Task.isCancelled { throw .cancelled }
    guard resource.method != .CONNECT else { throw .server("CONNECT asks for a tunnel, not for a resource") }
    let plan = try builder.plan(for: resource)
    let transfer = try start(plan, of: resource)
    let head = try await transfer.awaitHead()
    guard (300..<400).contains(head.status) else { return response(head, transfer, plan.url) }
    return try await following(head, transfer, plan)
  }

  /// Follows redirects, and returns the first response that is not a redirect or is one that must not be followed.
  private func following(
    _ head: ResponseHead, _ transfer: Transfer, _ plan: RequestPlan
  ) async throws(ReactorError) -> Response {
    var (head, transfer, plan) = (head, transfer, plan)
    let rules = RedirectRules(policy: builder.settings.options.redirects)
    var url: WebURL?
    var followed = 0
    while true {
      let step = try step(
        after: head, of: transfer, from: url, method: plan.method, followed: followed, rules: rules)
      guard let step else { return response(head, transfer, plan.url) }
      try checkSecrets(step, body: plan.body, transfer)
      await drain(transfer)
      plan.follow(step, builder.settings.options)
      url = step.url
      followed += 1
      transfer = try client.start(try builder.request(plan))
      head = try await transfer.awaitHead()
    }
  }

  private func response(_ head: ResponseHead, _ transfer: Transfer, _ url: String) -> Response {
    Response(
      status: head.status, headers: head.headers, url: url,
      body: ResponseBody(TransferBody(transfer, head: head, client: client)))
  }

  /// Starts the transfer of a resource, or returns the transfer that was sent ahead for it.
  ///
  /// When the response of a new transfer is complete, the next request of its chain may be sent at once.
  private func start(_ plan: RequestPlan, of resource: Resource) throws(ReactorError) -> Transfer {
    guard let chain = resource.chain, let ahead = chain.ahead({ TransfersAhead(chain.next, builder) }) else {
      return try client.start(try builder.request(plan))
    }
    switch ahead.take(plan, for: resource) {
    case .nothing(let position): return try client.start(try builder.request(plan), position)
    case .ahead(let transfer, let stalled):
      if let stalled { client.start(stalled) }
      return transfer
    }
  }

  private func step(
    after head: ResponseHead, of transfer: Transfer, from url: WebURL?, method: String, followed: Int,
    rules: RedirectRules
  ) throws(ReactorError) -> RedirectRules.Step? {
    guard (300..<400).contains(head.status) else { return nil }
    do {
      let here = try url ?? WebURL(requesting: transfer.request.url)
      return try rules.step(
        status: head.status, locations: head.headers.values("Location"), from: here, method: method,
        followed: followed)
    } catch let refusal as RedirectRules.RedirectError {
      transfer.abandon()
      throw transfer.error("the response \(refusal.reason)")
    } catch {
      transfer.abandon()
      throw transfer.error("the URL is not valid")
    }
  }

  /// Refuses a redirect that would send a secret to another origin in the URL or in the body.
  ///
  /// A secret header field is dropped instead. A secret in the URL that the server names, or in a body that must be
  /// sent again, cannot be dropped.
  private func checkSecrets(
    _ step: RedirectRules.Step, body: [UInt8]?, _ transfer: Transfer
  ) throws(ReactorError) {
    guard !step.keepsSecrets else { return }
    let options = builder.settings.options
    let reason: String
    if options.secrets?.isIn(url: step.url.requested) == true {
      reason = "to another origin, \(Origin(step.url)), with a secret in the URL"
    } else if options.hasSecretBody, body != nil, step.keepsBody {
      reason = "the body, which contains a secret, to another origin, \(Origin(step.url))"
    } else {
      return
    }
    transfer.abandon()
    throw transfer.error("the response redirects \(reason), which is refused")
  }

  /// Reads the small body of a redirect, so that the connection can be reused.
  private func drain(_ transfer: Transfer) async {
    var count = 0
    while count < 64 * 1024 {
      // An error here does not matter: the next request has its own limits.
      guard let chunk = try? await transfer.nextChunk() else { break }
      count += chunk.count
    }
    transfer.abandon()
  }
}
