public import ReactorCore
internal import WebSyntax

/// The real connection: resources of one base URL, asked through libcurl within the limits of its options.
///
/// ```swift
/// let client = HTTPClient()
/// let connection = try HTTPConnection(baseURL: "https://api.example.com/v2", client: client)
/// let response = try await connection.response(for: Resource(path: "/customers", method: .GET))
/// while let chunk = try await response.body.next() { … }
/// ```
///
/// The body arrives decoded; the header fields are those that the server sent. Reading slowly slows the server down,
/// and dropping the response stops the transfer.
public struct HTTPConnection: Connection {
  /// The base URL as it was given.
  public let baseURL: String

  private let client: HTTPClient
  private let builder: RequestBuilder
  private let probe: ReachabilityProbe

  /// Builds a connection; opens nothing.
  ///
  /// - Parameter probe: shared by all connections of a run; one of its own unless given
  /// - Throws: `.server` when the base URL, the User-Agent or a header of the options cannot be sent.
  public init(
    baseURL: String, client: HTTPClient, options: HTTPOptions = HTTPOptions(), probe: ReachabilityProbe? = nil
  ) throws(ReactorError) {
    self.baseURL = baseURL
    self.client = client
    self.probe = probe ?? ReachabilityProbe(client: client)
    builder = RequestBuilder(try BaseURL(parsing: baseURL), try client.settings.settings(options))
  }

  /// Whether a connection to the base URL's host, or to the proxy in charge of it, can be opened.
  public var reachability: any Reachability {
    HTTPReachability(origin: builder.origin, probe: probe, options: builder.settings.options)
  }

  /// Sends the request and follows redirects; returns with the head of the final response.
  public func response(for resource: Resource) async throws(ReactorError) -> Response {
    if Task.isCancelled { throw .cancelled }
    guard resource.method != .CONNECT else { throw .server("CONNECT asks for a tunnel, not for a resource") }
    let plan = try builder.plan(for: resource)
    let transfer = try start(plan, of: resource)
    let head = try await transfer.awaitHead()
    guard (300..<400).contains(head.status) else { return response(head, transfer, plan.url) }
    return try await following(head, transfer, plan)
  }

  /// The response behind redirects, if this one is one.
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

  /// The transfer of a resource: one that was sent ahead, else a new one, whose response may name the next of its
  /// chain.
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
      throw transfer.error("the URL cannot be read")
    }
  }

  /// Refuses to take a secret along to another origin where it cannot be left out: in the URL that the server names, or
  /// in a body that has to be sent again.
  private func checkSecrets(
    _ step: RedirectRules.Step, body: [UInt8]?, _ transfer: Transfer
  ) throws(ReactorError) {
    guard !step.keepsSecrets else { return }
    let options = builder.settings.options
    let reason: String
    if options.secrets?.isIn(url: step.url.requested) == true {
      reason = "to another origin, \(Origin(step.url)), with a secret in the URL"
    } else if options.hasSecretBody, body != nil, step.keepsBody {
      reason = "the body, which holds a secret, to another origin, \(Origin(step.url))"
    } else {
      return
    }
    transfer.abandon()
    throw transfer.error("the response redirects \(reason), which is refused")
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
