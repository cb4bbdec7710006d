import HTTPTransport
import ReactorCore
import TestSupport
import Testing

/// A client whose driving thread loads libcurl.
@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
  private let client = HTTPClient(loadsInBackground: true)

  private func text(_ connection: HTTPConnection) async throws(ReactorError) -> String {
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    return String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
  }

  @Test func `requests wait until libcurl is loaded`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    defer { client.shutdown() }
    #expect(try await text(HTTPConnection(baseURL: server.url, client: client)) == "hello")
  }

  @Test func `who stops it cancels what comes later`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let connection = try HTTPConnection(baseURL: server.url, client: client)
    client.stop()
    client.stop()
    client.shutdown()
    let late = await failure { () async throws(ReactorError) in _ = try await text(connection) }
    #expect(late?.kind == .cancelled)
    #expect(server.acceptedConnections == 0)
  }

  @Test func `one that nobody asked anything ends with its last reference`() {
    _ = HTTPClient(loadsInBackground: true)
  }
}
