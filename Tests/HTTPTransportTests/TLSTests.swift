import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite(.serialized) struct TLSTests {
  private func get(
    _ path: String, _ server: TLSServer, adjust: (inout HTTPOptions) -> Void = { _ in }
  ) async throws(ReactorError) -> String {
    var options = HTTPOptions()
    options.certificateFile = server.authority
    adjust(&options)
    let client = HTTPClient()
    defer { client.shutdown() }
    let connection = try HTTPConnection(baseURL: "https://127.0.0.1:\(server.port)", client: client, options: options)
    let response = try await connection.response(for: Resource(path: path, method: .GET))
    return String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
  }

  private func server(_ certificate: TLSServer.Certificate = .good) throws -> TLSServer? {
    let server = try TLSServer(certificate)
    if server == nil { print("skipped: the openssl and python3 commands are needed for TLS tests") }
    return server
  }

  @Test(.timeLimit(.minutes(1))) func `the good certificate passes by the own authority, and by it only`() async throws
  {
    guard let server = try server() else { return }
    defer { server.stop() }
    #expect(try await get("/", server) == "hello")
    let error = await failure { () async throws(ReactorError) in
      _ = try await get("/", server) { $0.certificateFile = nil }
    }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("the server's certificate is refused: SSL certificate problem") == true)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (TLSServer.Certificate.otherName, "subject name"), (.expired, "expired"), (.selfSigned, "self-signed"),
    ])
  func `a bad certificate is refused with its fault unless verification is off`(
    _ certificate: TLSServer.Certificate, _ reason: String
  ) async throws {
    guard let server = try server(certificate) else { return }
    defer { server.stop() }
    let error = await failure { () async throws(ReactorError) in _ = try await get("/", server) }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("the server's certificate is refused") == true)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(try await get("/", server) { $0.verifiesCertificates = false } == "hello")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a stream cut without its closing message is refused where only its end ends the body`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    #expect(try await get("/whole", server) == "hello")
    let error = await failure { () async throws(ReactorError) in _ = try await get("/cut", server) }
    #expect(error?.kind == .server)
    #expect(error?.message.contains("cut short") == true)
  }

  @Test(.timeLimit(.minutes(1))) func `a redirect from https to http is refused, whatever the scope`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    for scope in [HTTPRedirects.Scope.sameOrigin, .anyOrigin] {
      let error = await failure { () async throws(ReactorError) in
        _ = try await get("/down", server) { $0.redirects.scope = scope }
      }
      #expect(error?.message.contains("redirects from https to http (http://127.0.0.1:1)") == true)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `https goes through a proxy's tunnel`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    let port = UInt16(server.port)
    let proxy = try ScriptedServer { request in
      request.method == "CONNECT"
        ? [.text("HTTP/1.1 200 Connection established\r\n\r\n"), .tunnel(port: port)] : [.close]
    }
    defer { proxy.stop() }
    #expect(try await get("/", server) { $0.proxies = HTTPProxies(https: proxy.url) } == "hello")
    #expect(proxy.requests.map(\.line) == ["CONNECT 127.0.0.1:\(port) HTTP/1.1"])
  }

  @Test(.timeLimit(.minutes(1))) func `plain HTTP where TLS is expected is named`() async throws {
    let server = try ScriptedServer { _ in ok() }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    let url = "https://127.0.0.1:\(server.port)"
    let connection = try HTTPConnection(baseURL: url, client: client)
    let error = await failure { () async throws(ReactorError) in
      _ = try await connection.response(for: Resource(path: "/", method: .GET))
    }
    #expect(error?.kind == .server)
    #expect(error?.message == "GET \(url)/: no TLS connection: the server does not speak TLS on this port")
    #expect(error?.help == "name the port of HTTPS in 'base_url', or begin it with 'http://' for plain HTTP")
  }

  @Test func `a file of authorities that is not there is named as the cause`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    let error = await failure { () async throws(ReactorError) in
      _ = try await get("/", server) { $0.certificateFile = "/nowhere/ca.pem" }
    }
    #expect(error?.message.contains("the file of certificate authorities cannot be used") == true)
  }
}
