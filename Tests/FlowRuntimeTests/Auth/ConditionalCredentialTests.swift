import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import Testing
import TestSupport

/// A version that a server told one user of is never asked for by another.
@Suite struct ConditionalCredentialTests {
  private static let top = "secrets: [KEY, PW]\nvars: { user: me }"

  private static func inputs(_ key: String, _ password: String = "pw-1", user: String = "me") -> FlowCompiler.Inputs {
    FlowCompiler.Inputs(
      overrides: VariableOverrides(arguments: ["user": user]),
      secrets: ["KEY": Secret(key), "PW": Secret(password)])
  }

  /// Ways to say who asks; `URL` stands for the server.
  private static let ways = [
    "auth: { bearer: \"{{ secrets.KEY }}\" }",
    "auth: { basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.KEY }}\" } }",
    "auth: { api_key: { query: key, value: \"{{ secrets.KEY }}\" } }",
    "auth: { api_key: { header: X-Key, value: \"{{ secrets.KEY }}\" } }",
    "auth: { oauth2: { url: URL/token, client_id: me, client_secret: \"{{ secrets.KEY }}\" } }",
    """
    auth: { login: { resource: { method: POST, path: /login, body: { form: { u: "{{ vars.user }}", p: "{{ secrets.KEY }}" } } }, token: $.access_token } }
    """,
  ]

  private static func serve(_ rig: Rig) {
    rig.answer { request in
      if request.target.hasPrefix("/token") || request.target.hasPrefix("/login") {
        return ok(#"{"access_token":"tok","token_type":"bearer","expires_in":3600}"#)
      }
      if request["If-None-Match"] != nil { return [.text("HTTP/1.1 304 Not Modified\r\n\r\n")] }
      return answer("200 OK", #"[{"id":1,"name":"A"}]"#, ["ETag: \"v1\""])
    }
  }

  private static func asked(_ rig: Rig) -> [String?] {
    rig.server.requests.filter { $0.target.hasPrefix("/users") }.map { $0["If-None-Match"] }
  }

  @Test(arguments: ways)
  func `the same credentials ask for changes, others for everything`(_ way: String) async throws {
    try await Rig.with { rig in
      Self.serve(rig)
      let steps: [(key: String, source: FetchSource)] = [
        ("key-one", .network), ("key-one", .notModified), ("key-two", .network), ("key-two", .notModified),
        ("key-one", .network),
      ]
      for step in steps {
        let text = way.replacing("URL", with: rig.server.url)
        let flow = try rig.flow(text, top: Self.top, inputs: Self.inputs(step.key))
        #expect(await rig.run(flow, .revalidate).source == step.source)
      }
      #expect(Self.asked(rig) == [nil, "\"v1\"", nil, "\"v1\"", nil])
    }
  }

  @Test func `another user name is another user`() async throws {
    try await Rig.with { rig in
      Self.serve(rig)
      for user in ["me", "you"] {
        let flow = try rig.flow(Self.ways[5], top: Self.top, inputs: Self.inputs("key-one", user: user))
        #expect(await rig.run(flow, .revalidate).source == .network)
      }
      #expect(Self.asked(rig) == [nil, nil])
    }
  }

  @Test func `a flow that gets credentials, or loses them, asks for everything`() async throws {
    try await Rig.with { rig in
      Self.serve(rig)
      for way in ["", Self.ways[0], "", ""] {
        let flow = try rig.flow(way, top: Self.top, inputs: Self.inputs("key-one"))
        _ = await rig.run(flow, .revalidate)
      }
      #expect(Self.asked(rig) == [nil, nil, nil, "\"v1\""])
    }
  }

  @Test func `a fresh result is used whoever asks, for that is what persistence declares`() async throws {
    try await Rig.with { rig in
      Self.serve(rig)
      _ = await rig.run(try rig.flow(Self.ways[0], top: Self.top, inputs: Self.inputs("key-one")))
      let other = await rig.run(try rig.flow(Self.ways[0], top: Self.top, inputs: Self.inputs("key-two")))
      #expect(other.source == .persistence)
    }
  }
}
