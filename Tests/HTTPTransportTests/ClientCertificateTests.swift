import HTTPTransport
import ReactorCore
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct ClientCertificateTests {
  private func server(demands: Bool = true) throws -> TLSServer? {
    let server = try TLSServer(.good, demandsCertificate: demands)
    if server == nil { print("skipped: the openssl and python3 commands are needed for TLS tests") }
    return server
  }

  private func get(
    _ path: String, _ server: TLSServer, _ certificate: HTTPClientCertificate?, client: HTTPClient,
    redirects: HTTPRedirects.Scope = .sameOrigin
  ) async throws(ReactorError) -> String {
    var options = HTTPOptions()
    options.certificateFile = server.authority
    options.clientCertificate = certificate
    // Each server has an authority of its own.
    if redirects == .anyOrigin { options.verifiesCertificates = false }
    options.redirects.scope = redirects
    let connection = try HTTPConnection(baseURL: "https://127.0.0.1:\(server.port)", client: client, options: options)
    let response = try await connection.response(for: Resource(path: path, method: .GET))
    return String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
  }

  @Test func `the certificate is shown in each of its forms, and none is an error that says so`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    let forms = [
      HTTPClientCertificate(certificate: server.file("plain.pem")),
      HTTPClientCertificate(certificate: server.file("client.pem"), key: server.file("plain.key")),
      HTTPClientCertificate(
        certificate: server.file("client.pem"), key: server.file("client.key"), password: "key-4711"),
      HTTPClientCertificate(certificate: server.file("client.p12"), password: "key-4711"),
    ]
    for form in forms {
      let client = HTTPClient()
      defer { client.shutdown() }
      #expect(try await get("/who", server, form, client: client).contains("ada"), "\(form)")
    }
    let client = HTTPClient()
    defer { client.shutdown() }
    #expect(try await get("/who", server, forms[0], client: client).contains("ada"))
    // The connection of another flow, which has shown its certificate, is not used.
    let error = await failure { () async throws(ReactorError) in
      _ = try await get("/who", server, nil, client: client)
    }
    // The server may also end the connection before its reason is read.
    let isNamed = error?.message.contains("the server demands a client certificate") == true
    #expect(error != nil && (!isNamed || error?.help == "name it with 'http.client_certificate'"))
  }

  @Test func `files that cannot be used are an error without the password`() async throws {
    guard let server = try server() else { return }
    defer { server.stop() }
    let client = HTTPClient()
    defer { client.shutdown() }
    for certificate in [
      HTTPClientCertificate(certificate: "/nowhere/client.pem"),
      HTTPClientCertificate(
        certificate: server.file("client.pem"), key: server.file("client.key"), password: "wrong-0815"),
      // Without a password nobody is asked at the terminal.
      HTTPClientCertificate(certificate: server.file("client.pem"), key: server.file("client.key")),
      HTTPClientCertificate(certificate: server.file("client.pem"), key: server.file("other.key")),
    ] {
      let error = await failure { () async throws(ReactorError) in
        _ = try await get("/who", server, certificate, client: client)
      }
      #expect(error?.message.contains("the client certificate cannot be used") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("wrong-0815") == false)
      #expect(!"\(certificate)\(String(reflecting: certificate))".contains("wrong-0815"))
    }
    let refused = await failure { () async throws(ReactorError) in
      _ = try await get("/who", server, .init(certificate: server.file("other.pem")), client: client)
    }
    #expect(refused != nil)
  }

  @Test func `a redirect to another origin is followed without the certificate`() async throws {
    guard let first = try server(), let second = try server(demands: false) else { return }
    defer {
      first.stop()
      second.stop()
    }
    let client = HTTPClient()
    defer { client.shutdown() }
    let certificate = HTTPClientCertificate(certificate: first.file("plain.pem"))
    #expect(
      try await get("/to/\(first.port)", first, certificate, client: client, redirects: .anyOrigin).contains("ada"))
    // The second server knows no certificate of the first one's authority: it refuses to be shown one.
    #expect(
      try await get("/to/\(second.port)", first, certificate, client: client, redirects: .anyOrigin) == "hello")
  }
}
