import HTTPTransport
import JSONSyntax
import ReactorCore
import TestSupport
import Testing

/// The error of a port where nothing listens, of a flow of compiled models.
@Suite(.timeLimit(.minutes(1))) struct RefusedConnectionTests {
  private let resource = Resource(path: "/", method: .GET)

  private func error(
    checks: Bool, _ events: @escaping FlowObserver = { _ in }
  ) async throws -> (ReactorError?, network: ReactorError?) {
    let silent = try SilentServer()
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: silent.url, client: client)
    let flow: ReactorFlow<[Nothing]> = createFlow(
      connection: connection, configuration: FlowConfiguration(shouldCheckReachability: checks),
      instruments: FlowInstruments(observer: events))
    let fetched = await #expect(throws: ReactorError.self) { try await Reactor(flow: flow).fetch(resource) }
    let network = Network(connection: connection, reachability: checks ? nil : AlwaysReachable())
    return (fetched, await #expect(throws: ReactorError.self) { try await network.response(for: resource) })
  }

  private struct Nothing: Mappable {
    static func mapToModel(_ json: JSONValue) throws(MappedError) -> Nothing { Nothing() }
    func mapToJSON() -> JSONValue? { nil }
  }

  @Test func `it is no connectivity where reachability is checked`() async throws {
    let (error, network) = try await error(checks: true)
    #expect(error?.kind == .noConnectivity)
    #expect(network?.kind == .noConnectivity)
  }

  @Test func `without the check it is an error of the server, with the cause`() async throws {
    let (error, network) = try await error(checks: false)
    #expect(error?.kind == .server)
    #expect(error?.message.hasSuffix("cannot connect: connection refused") == true)
    #expect(network?.kind == .server)
  }

  @Test func `a retry still knows that the connection could not be opened`() async throws {
    let silent = try SilentServer()
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: silent.url, client: client)
    let error = await #expect(throws: ReactorError.self) { try await connection.response(for: resource) }
    #expect(error.map { RetryPolicy().reason($0, of: .POST) } == .connect)
  }
}
