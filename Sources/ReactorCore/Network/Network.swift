/// A connection that checks reachability, judges responses, and can cancel everything it has open.
///
/// Copies of a network share the open requests and bodies.
public struct Network: Connection {
  /// The connection that sends the requests.
  public let connection: any Connection
  /// The check before each request.
  public let reachability: any Reachability
  /// The connection's base URL.
  public var baseURL: String { connection.baseURL }
  /// The modifier that judges each response.
  public let responseModifier: ResponseModifier
  private let instruments: FlowInstruments
  private let inFlight: ConnectionsInFlight
  /// Whether a request without a reachability check throws `.noConnectivity`, and not `.server`, when its connection
  /// cannot be opened.
  private var namesUnreachedHosts = false

  /// Wraps a connection.
  ///
  /// - Parameter reachability: the check before each request; the connection's own check by default.
  public init(
    connection: any Connection, reachability: (any Reachability)? = nil,
    responseModifier: ResponseModifier = .success, instruments: FlowInstruments = FlowInstruments()
  ) {
    self.init(
      connection, reachability ?? connection.reachability, responseModifier, instruments, ConnectionsInFlight())
  }

  private init(
    _ connection: any Connection, _ reachability: any Reachability, _ responseModifier: ResponseModifier,
    _ instruments: FlowInstruments, _ inFlight: ConnectionsInFlight
  ) {
    self.connection = connection
    self.reachability = reachability
    self.responseModifier = responseModifier
    self.instruments = instruments
    self.inFlight = inFlight
  }

  /// Checks the headers and reachability, sends the request, and judges the response.
  ///
  /// - Throws: `.noConnectivity` when the check finds that the host is not reachable (no request is started then),
  ///   `.server` when the transport fails, a refused connection included, or the modifier rejects the response,
  ///   `.timeout` after a time limit, `.cancelled` after `cancelAllConnections` or when the task is cancelled.
  @concurrent public func response(for resource: Resource) async throws(ReactorError) -> Response {
    try resource.headers.check()
    let generation = inFlight.generation
    return try await inFlight.run(generation) { () async throws(ReactorError) -> Response in
      let reach = try await checkReachability(resource)
      let start = instruments.start(.request)
      do throws(ReactorError) {
        var response = try await connection.response(for: resource)
        guard
          let body = TrackedBody(
            response.body, in: inFlight, generation: generation, since: start, instruments: instruments)
        else { throw .cancelled }
        response.body = ResponseBody(body)
        response.timings.reach = reach
        response.timings.request = instruments.stopwatch.reading() - start
        response = try await responseModifier.modify(response)
        body.beginReporting()
        return response
      } catch {
        // The body may end before the task that reads it gets the reason.
        var error = inFlight.generation == generation ? error.unlessCancelled : .cancelled
        if error.kind == .noConnectivity, !namesUnreachedHosts { error.kind = .server }
        instruments.observer(.failed(.request, error))
        throw error
      }
    }
  }

  /// Cancels every request and every body that is open through this network, and no others.
  public func cancelAllConnections() { inFlight.cancelAll() }

  /// The number of open requests and bodies.
  public var openConnections: Int { inFlight.count }

  /// The same network, with the same open requests, without the reachability check.
  public func withoutReachabilityCheck() -> Network { changed(reachability: AlwaysReachable()) }

  /// The same network, with the same open requests and other instruments.
  public func with(_ instruments: FlowInstruments) -> Network { changed(instruments: instruments) }

  /// The same network, with the same open requests and another response modifier.
  public func with(_ responseModifier: ResponseModifier) -> Network { changed(responseModifier: responseModifier) }

  /// The same network, with the same open requests, whose requests pass through another connection.
  ///
  /// - Parameter connection: makes that connection from the one of this network
  package func through(_ connection: (any Connection) -> any Connection) -> Network {
    changed(connection: connection(self.connection))
  }

  /// The same network, but it also throws `.noConnectivity` when a request without a check cannot open a connection.
  package func namingUnreachedHosts() -> Network {
    var network = self
    network.namesUnreachedHosts = true
    return network
  }

  private func changed(
    connection: (any Connection)? = nil, reachability: (any Reachability)? = nil,
    responseModifier: ResponseModifier? = nil, instruments: FlowInstruments? = nil
  ) -> Network {
    var network = Network(
      connection ?? self.connection, reachability ?? self.reachability, responseModifier ?? self.responseModifier,
      instruments ?? self.instruments, inFlight)
    network.namesUnreachedHosts = namesUnreachedHosts
    return network
  }

  private func checkReachability(_ resource: Resource) async throws(ReactorError) -> Duration? {
    if reachability is AlwaysReachable { return nil }
    let start = instruments.start(.reach)
    let obstacle = await reachability.obstacle(to: resource)
    if let obstacle = obstacle ?? (Task.isCancelled ? .cancelled : nil) {
      let error = obstacle.unlessCancelled
      instruments.observer(.failed(.reach, error))
      throw error
    }
    return instruments.finish(.reach, since: start)
  }
}
