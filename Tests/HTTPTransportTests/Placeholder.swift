import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite struct SmokeTests {
  @Test func `a small answer arrives`() async throws {
    let server = try ScriptedServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    defer { server.stop() }
    let connection = try HTTPConnection(baseURL: server.url, client: HTTPClient())
    let response = try await connection.response(for: Resource(path: "/", method: .GET))
    let bytes = try await response.body.collect(upTo: 100)
    #expect(String(decoding: bytes, as: UTF8.self) == "hello")
  }
}
