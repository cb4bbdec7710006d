import Authorization
import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TokenSessionTests {
  @Test func `a token is asked for with the first request and used for all`() async throws {
    let scene = Scene.counting()
    let connection = scene.connection(scene.session())
    #expect(scene.asked.requests.isEmpty)
    for _ in 0..<3 { _ = try await connection.response(for: orders) }
    #expect(scene.asked.requests.count == 1)
    #expect(scene.seen == ["Bearer t1", "Bearer t1", "Bearer t1"])
  }

  /// Lifetimes in seconds, and how long before their end a token is renewed.
  @Test(arguments: [("3600", 3540), ("\"3600\"", 3540), ("100", 90), ("10", 9)])
  func `a token is renewed a tenth of its life before its end, a minute at most`(expires: String, good: Int)
    async throws
  {
    let scene = Scene.counting(expires)
    let connection = scene.connection(scene.session())
    _ = try await connection.response(for: orders)
    scene.clock.advance(by: .seconds(good) - .milliseconds(1))
    _ = try await connection.response(for: orders)
    scene.clock.advance(by: .milliseconds(1))
    _ = try await connection.response(for: orders)
    #expect(scene.seen == ["Bearer t1", "Bearer t1", "Bearer t2"])
  }

  @Test(arguments: ["null", "\"soon\"", "-1", "1e400"])
  func `a lifetime that is none is not believed`(expires: String) async throws {
    let scene = Scene.counting(expires)
    let connection = scene.connection(scene.session())
    _ = try await connection.response(for: orders)
    scene.clock.advance(by: .seconds(86_400))
    _ = try await connection.response(for: orders)
    #expect(scene.asked.requests.count == 1)
  }

  @Test func `a refused token is renewed once and the request sent again`() async throws {
    let scene = Scene.counting()
    let connection = scene.connection(scene.session())
    _ = try await connection.response(for: orders)
    scene.good.tokens.withLock { $0 = ["t2"] }
    #expect(try await connection.response(for: orders).status == 200)
    #expect(scene.seen == ["Bearer t1", "Bearer t1", "Bearer t2"])
    // Later it expires again.
    scene.good.tokens.withLock { $0 = ["t3"] }
    #expect(try await connection.response(for: orders).status == 200)
    #expect(scene.asked.requests.count == 3)
  }

  @Test func `a second refusal stands, for later requests too`() async throws {
    let scene = Scene.counting()
    scene.good.tokens.withLock { $0 = [] }
    let connection = scene.connection(scene.session())
    for _ in 0..<5 { #expect(try await connection.response(for: orders).status == 401) }
    #expect(scene.asked.requests.count == 2)
    #expect(scene.api.requests.count == 6)
  }

  @Test func `a resource that is refused for ever costs three renewals, though others are answered`() async throws {
    let scene = Scene.counting()
    let refusing = StubConnection { resource in
      Response(status: resource.path == "/secret" ? 401 : 200, body: ResponseBody(bytes: []))
    }
    let connection = AuthorizedConnection(refusing, .token(scene.session()))
    for _ in 0..<20 {
      #expect(try await connection.response(for: orders).status == 200)
      #expect(try await connection.response(for: Resource(path: "/secret", method: .GET)).status == 401)
    }
    #expect(scene.asked.requests.count == 4)
  }

  @Test func `a fixed credential is not renewed`() async throws {
    let scene = Scene.counting()
    scene.good.tokens.withLock { $0 = [] }
    let connection = AuthorizedConnection(scene.api, .fixed(.bearer("fix")))
    #expect(try await connection.response(for: orders).status == 401)
    #expect(scene.api.requests.count == 1)
  }

  @Test func `a hundred flows make one token request, and one renewal when all are refused at once`() async throws {
    let scene = Scene.counting()
    let session = scene.session()
    func all() async throws {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 { group.addTask { try await scene.connection(session).response(for: orders).status } }
        for try await status in group { #expect(status == 200) }
      }
    }
    try await all()
    #expect(scene.asked.requests.count == 1)
    scene.good.tokens.withLock { $0 = ["t2"] }
    try await all()
    #expect(scene.asked.requests.count == 2)
  }

  @Test func `refused credentials are sent once and fail everybody with what the server said`() async throws {
    let scene = Scene { _, _ in
      Scene.json(#"{"error":"invalid_client","error_description":"no \u001b[31msuch\nclient"}"#, status: 401)
    }
    let connection = scene.connection(scene.session())
    for _ in 0..<3 {
      let error = await #expect(throws: ReactorError.self) { _ = try await connection.response(for: orders) }
      #expect(
        error?.message == "no token: POST https://auth/token: the server answered with status 401: invalid_client: "
          + "no [31msuch client")
    }
    #expect(scene.asked.requests.count == 1 && scene.api.requests.isEmpty)
  }

  @Test(arguments: [500, 503, 429, 408])
  func `a failure that may pass is tried again with the next request`(status: Int) async throws {
    let scene = Scene { _, count in
      count == 1 ? Scene.json("busy", status: status) : Scene.json(#"{"access_token":"t"}"#)
    }
    let connection = scene.connection(scene.session())
    let error = await #expect(throws: ReactorError.self) { _ = try await connection.response(for: orders) }
    #expect(error?.status == status && error?.message.hasSuffix("status \(status): busy") == true)
    #expect(try await connection.response(for: orders).status == 200)
  }

  /// Responses with status 200 that give no token, and what is said about them.
  @Test(arguments: [
    ("{}", "the response contains no 'access_token'"), ("", "the response contains no 'access_token'"),
    ("null", "the response contains no 'access_token'"),
    ("access_token=abc", "the response contains no 'access_token'"),
    (#"{"access_token":""}"#, "expected a token, found an empty string"),
    (#"{"access_token":7}"#, "expected a string, found number"),
    (#"{"access_token":"a","token_type":"mac"}"#, "the token is of the type 'mac', not 'Bearer'"),
  ])
  func `a response without a token that can be used is an error`(body: String, message: String) async throws {
    let scene = Scene { _, _ in Scene.json(body) }
    let error = await #expect(throws: ReactorError.self) {
      _ = try await scene.connection(scene.session()).response(for: orders)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a response larger than 1 MiB is refused`() async throws {
    let scene = Scene { _, _ in Scene.json("\"" + String(repeating: "x", count: 1 << 20) + "\"") }
    let error = await #expect(throws: ReactorError.self) {
      _ = try await scene.connection(scene.session()).response(for: orders)
    }
    #expect(error?.message.contains("larger than 1048576 bytes") == true)
  }

  @Test func `id and secret go into a header, encoded twice`() async throws {
    let scene = Scene.counting()
    var client = OAuth2Client(.clientCredentials, id: "me:1", secret: "pw/&1")
    client.scopes = ["a", "b c"]
    client.parameters = [("audience", "urn:x&y")]
    _ = try await scene.connection(scene.session(client)).response(for: orders)
    let request = try #require(scene.asked.requests.first)
    #expect(request.headers["Authorization"] == "Basic bWUlM0ExOnB3JTJGJTI2MQ==")  // me%3A1:pw%2F%261
    #expect(request.text == "grant_type=client_credentials&scope=a+b+c&audience=urn%3Ax%26y")
    #expect(request.method == .POST && request.path.isEmpty)
  }

  @Test(arguments: [("pw/&1", "&client_secret=pw%2F%261"), (nil, "")])
  func `or into the form, as that of a public client does`(secret: String?, expected: String) async throws {
    let scene = Scene.counting()
    var client = OAuth2Client(.clientCredentials, id: "me", secret: secret)
    client.sendsHeader = secret == nil
    _ = try await scene.connection(scene.session(client)).response(for: orders)
    let request = try #require(scene.asked.requests.first)
    #expect(request.headers["Authorization"] == nil)
    #expect(request.text == "grant_type=client_credentials&client_id=me" + expected)
  }

  @Test func `what is obtained is told before it is used, and so are the credentials as they travel`() async throws {
    let scene = Scene.counting()
    _ = try await scene.connection(scene.session()).response(for: orders)
    #expect(Set(scene.learnt) == ["pw/&1", "bWU6cHclMkYlMjYx", "t1"])
  }

  @Test func `who is cancelled stops waiting, and the request ends with the last of them`() async throws {
    let hanging = HangingConnection()
    let session = TokenSession(
      OAuth2Client(.clientCredentials, id: "a", secret: nil), shown: "x",
      wording: TokenWording(.header("Authorization")),
      secrets: KnownSecrets()
    ) { hanging }
    let api = StubConnection(body: "[]")
    let flows = (0..<3).map { _ in
      Task { try await AuthorizedConnection(api, .token(session)).response(for: orders) }
    }
    await hanging.isHanging.wait()
    for flow in flows { flow.cancel() }
    for flow in flows {
      await #expect(throws: ReactorError.cancelled) { _ = try await flow.value }
    }
    #expect(api.requests.isEmpty)
  }

  @Test func `flows with one key share a session`() {
    let sessions = TokenSessions()
    let scene = Scene.counting()
    let first = sessions.session("a") { scene.session() }
    #expect(sessions.session("a") { scene.session() } === first)
    #expect(sessions.session("b") { scene.session() } !== first)
  }
}
