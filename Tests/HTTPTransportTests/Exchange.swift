import HTTPTransport
import ReactorCore
import TestSupport

/// A client and a connection to a scripted server, for one test.
struct Exchange {
  let server: ScriptedServer
  let client = HTTPClient()
  let connection: HTTPConnection

  init(
    path: String = "", adjust: (inout HTTPOptions) -> Void = { _ in }, tracing: (any RequestTracing)? = nil,
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
  ) throws {
    server = try ScriptedServer(script)
    var options = HTTPOptions()
    options.timeout = .seconds(20)
    adjust(&options)
    connection = try HTTPConnection(baseURL: server.url + path, client: client, options: options, tracing: tracing)
  }

  func stop() {
    client.shutdown()
    server.stop()
  }

  /// Asks and reads all of the response.
  func text(_ resource: Resource = Resource(path: "/", method: .GET)) async throws(ReactorError) -> String {
    let response = try await connection.response(for: resource)
    return String(decoding: try await response.body.collect(upTo: 1 << 30), as: UTF8.self)
  }
}

/// The steps of a whole small response.
func ok(_ body: String = "hello", _ fields: String...) -> [ScriptedServer.Step] {
  [
    .text(
      "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
  ]
}

/// The error that an operation throws.
func failure(_ operation: () async throws(ReactorError) -> Void) async -> ReactorError? {
  do throws(ReactorError) {
    try await operation()
    return nil
  } catch {
    return error
  }
}
