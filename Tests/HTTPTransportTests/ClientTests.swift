import Dispatch
import HTTPTransport
import ReactorCore
import TestSupport
import Testing

/// A client whose driving thread is still setting up.
@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
  private let gate = DispatchSemaphore(value: 0)

  /// One that is not set up before the gate opens.
  private func client() -> HTTPClient { HTTPClient { [gate] in gate.wait() } }

  private func text(_ connection: HTTPConnection) async throws(ReactorError) -> String {
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    return String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
  }

  @Test func `requests wait until it is set up`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = client()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: server.url, client: client)
    async let answer = text(connection)
    try await Task.sleep(for: .milliseconds(50))
    #expect(server.acceptedConnections == 0)
    gate.signal()
    #expect(try await answer == "hello")
  }

  @Test func `who stops it before it is set up cancels what waits`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = client()
    let connection = try HTTPConnection(baseURL: server.url, client: client)
    async let early = failure { () async throws(ReactorError) in _ = try await text(connection) }
    try await Task.sleep(for: .milliseconds(50))
    client.stop()
    client.stop()
    gate.signal()
    #expect(await early?.kind == .cancelled)
    client.shutdown()
    let late = await failure { () async throws(ReactorError) in _ = try await text(connection) }
    #expect(late?.kind == .cancelled)
    #expect(server.acceptedConnections == 0)
  }

  @Test func `one that nobody asked anything ends with its last reference`() {
    gate.signal()
    _ = client()
  }
}
