import ReactorCore
import Synchronization
import TestSupport
import Testing

@testable import Authorization

@Suite(.timeLimit(.minutes(1))) struct DigestSessionTests {
  private static let mufasa = DigestCredentials(username: "Mufasa", password: "Circle of Life")

  /// A server that gives these responses in turn, the last one for ever, and remembers what it was sent.
  private final class Server: Connection, Sendable {
    typealias Reply = (status: Int, headers: Headers)
    let baseURL = "http://www.example.org"
    let reachability: any Reachability = AlwaysReachable()
    private let sent = Mutex<[Resource]>([])
    private let reply: @Sendable (Int, Resource) -> Reply

    init(_ reply: @escaping @Sendable (Int, Resource) -> Reply) { self.reply = reply }

    convenience init(_ replies: [Reply]) { self.init { index, _ in replies[min(index, replies.count - 1)] } }

    var requests: [Resource] { sent.withLock { $0 } }
    var answers: [String] { requests.map { $0.headers["Authorization"] ?? "" } }

    func response(for resource: Resource) async throws(ReactorError) -> Response {
      let index = sent.withLock { sent in
        sent.append(resource)
        return sent.count - 1
      }
      let (status, headers) = reply(index, resource)
      return Response(status: status, headers: headers, body: ResponseBody(bytes: []))
    }
  }

  private static func challenge(_ rest: String, nonce: String = "n1") -> Headers {
    ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"\(nonce)\", \(rest)"]
  }

  private func session() -> DigestSession { DigestSession(Self.mufasa) { "0a4f113b" } }

  private static func part(_ name: String, of answer: String) -> String? {
    answer.split(separator: ", ").first { $0.hasPrefix("\(name)=") || $0.hasPrefix("Digest \(name)=") }
      .map { String($0.drop { $0 != "=" }.dropFirst()) }
  }

  /// RFC 7616, section 3.9.1, and RFC 2617, section 3.5, also without a kind of protection.
  @Test(arguments: [
    (
      """
      Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """, "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "Circle of Life",
      "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    ),
    (
      """
      Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """, "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "Circle of Life", "8ca523f5e9506fed4657c9700eebdbec"
    ),
    (
      """
      Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
      opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """, "0a4f113b", "Circle Of Life", "6629fae49393a05397450978507c4ef1"
    ),
    (
      """
      Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
      opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """, "0a4f113b", "Circle Of Life", "670fd8c2df070c60b045671b8b24ff02"
    ),
  ]) func `the published answers are given`(
    _ challenge: String, _ nonce: String, _ password: String, _ expected: String
  ) async throws {
    let server = Server([(401, ["WWW-Authenticate": challenge]), (200, Headers())])
    let session = DigestSession(DigestCredentials(username: "Mufasa", password: password)) { nonce }
    let response = try await session.response(for: Resource(path: "/dir/index.html", method: .GET), over: server)
    #expect(response.status == 200)
    #expect(server.requests.count == 2 && server.answers[0].isEmpty)
    let answer = server.answers[1]
    #expect(Self.part("response", of: answer) == "\"\(expected)\"")
    #expect(Self.part("uri", of: answer) == "\"/dir/index.html\"" && Self.part("username", of: answer) == "\"Mufasa\"")
    #expect(!answer.contains(password))
  }

  @Test func `a nonce is used again with the next count, and a stale one is renewed`() async throws {
    let server = Server { index, _ in
      switch index {
      case 0: (401, Self.challenge("qop=auth"))
      case 3: (401, Self.challenge("qop=auth, stale=TRUE", nonce: "n2"))
      default: (200, Headers())
      }
    }
    let session = session()
    for number in 0..<4 {
      let resource = Resource(path: "/a", method: .GET, query: [.init("page", "\(number)")])
      #expect(try await session.response(for: resource, over: server).status == 200)
    }
    #expect(server.requests.count == 6)
    let counts = server.answers.map { "\(Self.part("nonce", of: $0) ?? "") \(Self.part("nc", of: $0) ?? "")" }
    #expect(
      counts == [
        " ", "\"n1\" 00000001", "\"n1\" 00000002", "\"n1\" 00000003", "\"n2\" 00000001", "\"n2\" 00000002",
      ])
    #expect(Self.part("uri", of: server.answers[5]) == "\"/a?page=3\"")
  }

  @Test func `a password that is refused is sent once`() async throws {
    let server = Server([(401, Self.challenge("qop=auth"))])
    let session = session()
    for _ in 0..<3 {
      #expect(try await session.response(for: Resource(path: "/", method: .GET), over: server).status == 401)
    }
    #expect(server.answers.filter { !$0.isEmpty }.count == 1)
    #expect(server.requests.count == 4)
  }

  @Test func `a forbidden resource does not end the session`() async throws {
    let server = Server { _, resource in
      resource.headers["Authorization"] == nil || resource.path == "/no"
        ? (401, Self.challenge("qop=auth")) : (200, Headers())
    }
    let session = session()
    for path in ["/yes", "/no", "/yes", "/no", "/yes"] {
      let response = try await session.response(for: Resource(path: path, method: .GET), over: server)
      #expect(response.status == (path == "/yes" ? 200 : 401))
    }
    #expect(server.requests.count <= 10)
  }

  @Test func `of many requests at once one asks for the challenge`() async throws {
    let server = Server { _, resource in
      resource.headers["Authorization"] == nil ? (401, Self.challenge("qop=auth")) : (200, Headers())
    }
    let session = session()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<30 {
        group.addTask { try await session.response(for: Resource(path: "/", method: .GET), over: server).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.requests.count == 31)
    #expect(Set(server.answers.compactMap { Self.part("nc", of: $0) }).count == 30)
  }

  @Test func `the strongest known challenge is answered, wherever it is`() async throws {
    let server = Server([
      (
        401,
        [
          "WWW-Authenticate": """
          Negotiate, Basic realm="b, Digest realm=\\"x\\"", Digest realm="one", nonce="a", qop="auth", algorithm=MD5, \
          Digest realm="two", nonce="b\\"c", qop="auth-int", algorithm=SHA-256-sess, userhash=true, \
          Digest realm="three", nonce="d", algorithm=SHA-512-256, qop=auth
          """
        ]
      ), (200, Headers()),
    ])
    let resource = Resource(path: "/", method: .POST, body: Array("x".utf8))
    #expect(try await session().response(for: resource, over: server).status == 200)
    let answer = server.answers[1]
    #expect(Self.part("realm", of: answer) == "\"two\"" && Self.part("qop", of: answer) == "auth-int")
    #expect(Self.part("nonce", of: answer) == #""b\"c""# && Self.part("userhash", of: answer) == "true")
    // Computed with another program from RFC 7616, section 3.4.
    #expect(Self.part("username", of: answer) == "\"ca15a45ef066788e03da7484cd8628ba7b777896e13fe06c34bf06b67e4ddc77\"")
    #expect(Self.part("response", of: answer) == "\"19de8c64d5f7c425047397ffb9a816e4b63374dc7984dfd2d775213087cc3c62\"")
  }

  @Test(arguments: [
    "Basic realm=\"x\"", "Digest nonce=\"a\"", "Digest realm=\"a\"", "Digest", "", ",,,=\"", "Digest realm=\"a",
    "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512-256", "Digest realm=\"r\", nonce=\"n\", qop=\"other\"",
  ]) func `a challenge that cannot be answered leaves the response as it is`(_ challenge: String) async throws {
    let server = Server([(401, ["WWW-Authenticate": challenge])])
    #expect(try await session().response(for: Resource(path: "/", method: .GET), over: server).status == 401)
    #expect(server.requests.count == 1)
  }

  @Test func `the next nonce of a response is used`() async throws {
    let server = Server { index, _ in
      index == 0
        ? (401, Self.challenge("qop=auth"))
        : (200, index == 1 ? ["Authentication-Info": "qop=auth, nextnonce=\"n9\""] : Headers())
    }
    let session = session()
    for _ in 0..<2 { _ = try await session.response(for: Resource(path: "/", method: .GET), over: server) }
    #expect(
      Self.part("nonce", of: server.answers[2]) == "\"n9\"" && Self.part("nc", of: server.answers[2]) == "00000001")
  }

  @Test func `another origin gets no answer`() async throws {
    let server = Server([(401, Self.challenge("qop=auth"))])
    let resource = Resource(path: "/", method: .GET, target: "http://elsewhere.example/")
    #expect(try await session().response(for: resource, over: server).status == 401)
    #expect(server.requests.count == 1)
    #expect(!"\(session()) \(Self.mufasa)".contains("Circle"))
  }
}
