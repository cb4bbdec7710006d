import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Tokens that a run signs itself, on real connections.
@Suite(.timeLimit(.minutes(2))) struct SignedTokenTests {
  private static let top = "secrets: [KEY, WORD]\nvars: { user: me }"
  private static let inputs = FlowCompiler.Inputs(secrets: [
    "KEY": Secret(PublishedKeys.p256), "WORD": Secret("a-shared-s3cret"),
  ])

  /// The header and the claims of a token.
  private static func parts(_ token: String) throws -> [JSONValue] {
    try token.split(separator: ".").prefix(2).map { part in
      var text = part.replacing("-", with: "+").replacing("_", with: "/")
      text += String(repeating: "=", count: (4 - text.count % 4) % 4)
      return try JSONValue(parsing: Array(try #require(Data(base64Encoded: String(text)))))
    }
  }

  private static func bearer(_ request: ScriptedServer.Request?) throws -> String {
    let sent = try #require(request?["authorization"])
    #expect(sent.hasPrefix("Bearer "))
    return String(sent.dropFirst(7))
  }

  private static let jwt = """
    auth:
      jwt:
        algorithm: ES256
        key: "{{ secrets.KEY }}"
        key_id: k1
        claims: { iss: "{{ vars.user }}", aud: [a, b], level: 3 }
        expires_after: 10m
    """

  @Test func `a signed token is sent, shared and signed anew before it expires`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(Self.jwt, top: Self.top, inputs: Self.inputs)
      let began = rig.clock.now.components.seconds
      #expect(await rig.run(flow, .fresh).kept == 1)
      #expect(await rig.run(flow, .fresh).kept == 1)
      let token = try Self.bearer(rig.server.requests.first)
      #expect(try Self.bearer(rig.server.requests.last) == token)
      let parts = try Self.parts(token)
      #expect(parts[0]["kid"]?.string == "k1" && parts[0]["alg"]?.string == "ES256")
      #expect(
        String(decoding: JSONWriter.bytes(parts[1]), as: UTF8.self)
          == #"{"iss":"me","aud":["a","b"],"level":3,"iat":\#(began),"exp":\#(began + 600)}"#)
      #expect(rig.environment.secrets.isIn(url: "http://a/?t=\(token)"))
      rig.clock.advance(by: .seconds(539))
      _ = await rig.run(flow, .fresh)
      #expect(try Self.bearer(rig.server.requests.last) == token)
      rig.clock.advance(by: .seconds(1))
      _ = await rig.run(flow, .fresh)
      let next = try Self.parts(try Self.bearer(rig.server.requests.last))[1]
      #expect(next["iat"] == .integer(began + 540) && next["exp"] == .integer(began + 1140))
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("jwt ES256, key {{ secrets.KEY }}, claims iss aud level, in the header Authorization"))
      #expect(!shown.contains("BEGIN") && flow.auth == "jwt")
    }
  }

  @Test func `a refused token is signed anew once, and the second 401 stands`() async throws {
    try await Rig.with(answer("401 Unauthorized", "{}")) { rig in
      let flow = try rig.flow(
        Self.jwt.replacing(
          "expires_after: 10m", with: "id: true\n    header: X-Token\n    value: \"JWT {{ token }}\""),
        top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(run.error?.status == 401 && rig.server.requests.count == 2)
      let sent = rig.server.requests.compactMap { $0["x-token"] }
      #expect(Set(sent).count == 2 && sent.allSatisfy { $0.hasPrefix("JWT ey") })
      for token in sent {
        #expect(!run.message.contains(token.dropFirst(4)))
        // The token itself is a secret, not only the text around it.
        #expect(rig.environment.secrets.contains { $0 == token.dropFirst(4) })
      }
    }
  }

  @Test(arguments: [
    ("ES256", "KEY", "", "hunter2-hunter2", "the key is not a private key in PEM"),
    ("RS256", "KEY", "", PublishedKeys.p256, "the key is an EC key of the curve P-256, and RS256 needs an RSA key"),
    ("HS256", "WORD", "encoding: base64", "no base64!", "the key is not base64, which 'encoding' declares"),
    ("HS256", "WORD", "encoding: hex", "hunter2-hunter2", "the key is not hex, which 'encoding' declares"),
  ]) func `a wrong key is an error at the key that does not show it`(
    _ algorithm: String, _ name: String, _ more: String, _ value: String, _ message: String
  ) async throws {
    try await Rig.with { rig in
      let auth = """
        auth:
          jwt:
            algorithm: \(algorithm)
            key: "{{ secrets.\(name) }}"
            \(more)
        """
      let compilation = rig.compile(
        rig.text(auth, top: Self.top), inputs: .init(secrets: [name: Secret(value)]))
      let problem = try #require(compilation.diagnostics.diagnostics.first)
      #expect(compilation.flows.isEmpty && problem.message == message && problem.code == FlowCode.authValue.code)
      #expect(problem.range != nil && !"\(problem)".contains(value))
    }
  }

  @Test func `a service account exchanges its assertion for a token`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target == "/token"
          ? ok(#"{"access_token":"t0ken-4711","token_type":"Bearer","expires_in":3600}"#)
          : ok(#"[{"id":1,"name":"a"}]"#)
      }
      let account =
        #"{"client_email":"me@example.com","private_key":"\#(PublishedKeys.rsa.replacing("\n", with: "\\n"))"}"#
      let flow = try rig.flow(
        """
        auth:
          oauth2:
            grant: jwt_bearer
            url: \(rig.server.url)/token
            jwt:
              algorithm: RS256
              key: "{{ json(secrets.KEY).private_key }}"
              claims: { iss: "{{ json(secrets.KEY).client_email }}", scope: a b }
              expires_after: 1h
        """, top: Self.top, inputs: .init(secrets: ["KEY": Secret(account)]))
      #expect(await rig.run(flow).kept == 1)
      let requests = rig.server.requests
      #expect(requests.map(\.target) == ["/token", "/users"])
      let form = String(decoding: try #require(requests.first).body, as: UTF8.self)
      let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
      #expect(form.hasPrefix(prefix) && requests.first?["authorization"] == nil)
      let claims = try Self.parts(String(form.dropFirst(prefix.count)))[1]
      #expect(claims["iss"]?.string == "me@example.com" && claims["scope"]?.string == "a b")
      #expect(claims["aud"]?.string == "\(rig.server.url)/token" && claims["sub"] == nil)
      #expect(requests.last?["authorization"] == "Bearer t0ken-4711")
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("oauth2 jwt_bearer of") && !shown.contains("BEGIN") && !shown.contains("me@"), "\(shown)")
      // A line of the key alone is a secret too.
      let line = try #require(PublishedKeys.rsa.split(separator: "\n").dropFirst(3).first)
      #expect(rig.environment.secrets.contains { $0.contains(line) })
    }
  }

  @Test func `an assertion authenticates a client in place of a secret`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target == "/token" ? ok(#"{"access_token":"t0ken-4711"}"#) : ok(#"[{"id":1,"name":"a"}]"#)
      }
      let flow = try rig.flow(
        """
        auth:
          oauth2:
            url: \(rig.server.url)/token
            client_id: my-app
            jwt: { algorithm: HS512, key: "{{ secrets.WORD }}", claims: { aud: other } }
        """, top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let form = String(decoding: try #require(rig.server.requests.first).body, as: UTF8.self)
      let prefix =
        "grant_type=client_credentials&client_id=my-app"
        + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_assertion="
      #expect(form.hasPrefix(prefix), "\(form)")
      let claims = try Self.parts(String(form.dropFirst(prefix.count)))[1]
      #expect(["iss", "sub", "aud"].map { claims[$0]?.string } == ["my-app", "my-app", "other"])
    }
  }

  @Test func `a rejected assertion is not repeated and not shown`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        // Some servers say the request back.
        answer(
          "400 Bad Request",
          #"{"error":"invalid_grant","error_description":"\#(String(decoding: request.body, as: UTF8.self))"}"#)
      }
      let flow = try rig.flow(
        """
        auth:
          oauth2:
            grant: jwt_bearer
            url: \(rig.server.url)/token
            jwt: { algorithm: ES256, key: "{{ secrets.KEY }}" }
        """, top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(rig.server.requests.count == 1 && run.error?.status == 400)
      let form = String(decoding: try #require(rig.server.requests.first).body, as: UTF8.self)
      let assertion = try #require(form.split(separator: "=").last)
      #expect(rig.environment.secrets.contains { $0 == assertion })
    }
  }

  @Test(arguments: [
    ("oauth2: { url: https://a.example/t, grant: jwt_bearer }", "'jwt' is missing in 'oauth2'"),
    ("oauth2: { url: https://a.example/t }", "'client_id' is missing in 'oauth2'"),
    (
      "oauth2: { url: https://a.example/t, client_id: a, client_secret: \"{{ secrets.WORD }}\", jwt: { algorithm: HS256, key: \"{{ secrets.WORD }}\" } }",
      "'jwt' and 'client_secret' cannot both authenticate the client"
    ),
    ("jwt: { algorithm: HS256, key: \"{{ secrets.WORD }}\", claims: { exp: 1 } }", "'exp' is set by 'jwt' itself"),
    (
      "jwt: { algorithm: HS256, key: \"{{ secrets.WORD }}\", id: true, claims: { jti: a } }",
      "'jti' is set by 'jwt' itself"
    ),
    (
      "oauth2: { url: https://a.example/t, client_id: a, params: { client_assertion: x } }",
      "'client_assertion' is set by 'oauth2' itself"
    ),
  ]) func `what contradicts itself is found before a run`(_ auth: String, _ message: String) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(rig.text("auth: { \(auth) }", top: Self.top), inputs: Self.inputs)
      #expect(compilation.diagnostics.diagnostics.map(\.message) == [message])
    }
  }
}
