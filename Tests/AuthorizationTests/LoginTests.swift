import Authorization
import JSONSyntax
import ReactorCore
import TestSupport
import Testing

@Suite struct LoginTests {
  private static func session(
    _ scene: Scene, token: LoginSequence.TokenLocation? = nil, expiry: LoginSequence.Expiry? = nil,
    wording: TokenWording = TokenWording(.header("Authorization"))
  ) throws -> TokenSession {
    let steps = [
      LoginSequence.Step(shown: "GET http://api/nonce", captures: [("nonce", try JSONPath(parsing: "$.nonce"))]) { _ in
        Resource(path: "/nonce", method: .GET)
      },
      LoginSequence.Step(shown: "POST http://api/login") { captures in
        Resource(path: "/login", method: .POST, body: Array("n=\(captures["nonce"] ?? "?")".utf8))
      },
    ]
    let location = try token ?? .body(JSONPath(parsing: "$.token"))
    return TokenSession(
      LoginSequence(steps, token: location, expiry: expiry), wording: wording, secrets: scene.secrets,
      stopwatch: scene.clock.stopwatch, wallClock: scene.clock.wallClock
    ) { scene.asked }
  }

  private static func scene(_ more: String = "") -> Scene {
    Scene { resource, count in
      if resource.path == "/nonce" { return Scene.json(#"{"nonce":"n\#(count)"}"#) }
      return Response(
        status: 200, headers: Headers([.init("X-Token", "h\(count)")]),
        body: ResponseBody(bytes: Array(#"{"token":"t\#(count)"\#(more)}"#.utf8)))
    }
  }

  @Test func `later requests use what earlier ones gave`() async throws {
    let scene = Self.scene()
    _ = try await scene.connection(try Self.session(scene)).response(for: orders)
    #expect(scene.asked.requests.map(\.path) == ["/nonce", "/login"])
    #expect(scene.asked.requests.last?.text == "n=n1")
    #expect(scene.seen == ["Bearer t2"])
    #expect(Set(scene.learnt) == ["n1", "t2"])
  }

  @Test func `the token may come in a header and go in other words`() async throws {
    let scene = Self.scene()
    let wording = TokenWording(.header("Cookie")) { "session=\($0["token"] ?? ""); n=\($0["nonce"] ?? "")" }
    let session = try Self.session(scene, token: .header("x-token"), wording: wording)
    _ = try await scene.connection(session).response(for: orders)
    #expect(scene.api.requests.first?.headers["Cookie"] == "session=h2; n=n1")
  }

  /// What the response says, and for how many seconds the token is used; the clock stands at 2023-11-14T22:13:20Z.
  @Test(arguments: [
    ("100", 90), ("\"100\"", 90), ("1.5", 1), ("\"2023-11-14T22:15:00Z\"", 90), ("\"2023-11-14T23:15:00.5+01:00\"", 90),
    ("\"2023-11-14T22:13:20Z\"", 0), ("\"2020-01-01T00:00:00Z\"", 0), ("\"2024-03-01T00:00:00-00:30\"", 9_252_940),
  ])
  func `the expiry is read as seconds or as a moment`(value: String, good: Int) async throws {
    let scene = Self.scene(",\"exp\":\(value)")
    let session = try Self.session(scene, expiry: .path(JSONPath(parsing: "$.exp")))
    let connection = scene.connection(session)
    _ = try await connection.response(for: orders)
    let before = scene.asked.requests.count
    scene.clock.advance(by: .seconds(max(good - 1, 0)))
    _ = try await connection.response(for: orders)
    #expect(scene.asked.requests.count == (good > 0 ? before : before + 2))
    scene.clock.advance(by: .seconds(2))
    _ = try await connection.response(for: orders)
    #expect(scene.asked.requests.count > before)
  }

  @Test(arguments: ["\"soon\"", "null", "{}", "\"2023-13-01T00:00:00Z\"", "\"2023-11-14\"", "\"2023-11-14T22:15:00\""])
  func `an expiry that cannot be read is an error`(value: String) async throws {
    let scene = Self.scene(",\"exp\":\(value)")
    let session = try Self.session(scene, expiry: .path(JSONPath(parsing: "$.exp")))
    let error = await #expect(throws: ReactorError.self) {
      _ = try await scene.connection(session).response(for: orders)
    }
    #expect(error?.message.contains("POST http://api/login: ") == true && error?.message.contains("$.exp") == true)
  }

  @Test(arguments: [
    ("$.tokn", "the response has nothing at $.tokn"), ("$.*", "the response has several values at $.*"),
    ("$.o", "expected a text at $.o, found object"),
    ("$.e", "the value at $.e in the response is empty"),
    ("$.c", "the value at $.c in the response is empty or contains a control character"),
  ])
  func `a token that is not there, or no text, is an error with its location`(path: String, message: String)
    async throws
  {
    let scene = Self.scene(#","o":{},"e":"","c":"a\r\nX: b""#)
    let session = try Self.session(scene, token: .body(JSONPath(parsing: path)))
    let error = await #expect(throws: ReactorError.self) {
      _ = try await scene.connection(session).response(for: orders)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(scene.api.requests.isEmpty)
  }

  @Test func `a refused login says which request it was`() async throws {
    let scene = Scene { _, count in count == 1 ? Scene.json(#"{"nonce":"n"}"#) : Scene.json("go away", status: 403) }
    let error = await #expect(throws: ReactorError.self) {
      _ = try await scene.connection(try Self.session(scene)).response(for: orders)
    }
    #expect(
      error?.message == "no token: POST http://api/login: the server answered with status 403: go away "
        + "(login request 2 of 2)")
  }
}
