import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Synchronization
import TestSupport
import Testing

/// Tokens that are obtained, with an authorization server and an API on real connections.
@Suite(.timeLimit(.minutes(2))) struct TokenTests {
  private static let inputs = FlowCompiler.Inputs(secrets: ["PW": Secret("pässw/rd"), "REFRESH": Secret("r0-token")])
  private static let top = "secrets: [PW, REFRESH]\nvars: { user: me }"
  private static let client = "client_id: me, client_secret: \"{{ secrets.PW }}\""

  /// A server that gives the tokens `tok-1`, `tok-2`, … and an API that takes those that it is told to take.
  private static func serve(
    _ rig: Rig,
    token: @escaping @Sendable (Int, ScriptedServer.Request) -> [ScriptedServer.Step] = { number, _ in
      ok(#"{"access_token":"tok-\#(number)","token_type":"bearer","expires_in":3600}"#)
    }, good: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) -> Count {
    let count = Count()
    rig.answer { request in
      if request.target.hasPrefix("/token") || request.target.hasPrefix("/login") {
        return token(count.add(), request)
      }
      let sent = request["authorization"]?.split(separator: "-").last.flatMap { Int($0) }
      guard let sent, good(sent) else { return answer("401 Unauthorized", #"{"error":"who are you"}"#) }
      return ok(#"[{"id":1,"name":"a"}]"#)
    }
    return count
  }

  private final class Count: Sendable {
    private let number = Mutex(0)
    func add() -> Int {
      number.withLock {
        $0 += 1
        return $0
      }
    }
    var value: Int { number.withLock { $0 } }
  }

  private static func oauth2(_ rig: Rig, _ more: String = "") -> String {
    "auth: { oauth2: { url: \"\(rig.server.url)/token?tenant=1\", \(client)\(more.isEmpty ? "" : ", " + more) } }"
  }

  @Test func `a token is obtained with client credentials and used`() async throws {
    try await Rig.with { rig in
      _ = Self.serve(rig)
      let flow = try rig.flow(
        Self.oauth2(rig, "scopes: [a, \"{{ vars.user }}\"], params: { x: y, audience: api }"), top: Self.top,
        inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let requests = rig.server.requests
      #expect(requests.map(\.target) == ["/token?tenant=1", "/users"])
      #expect(requests.first?["authorization"] == "Basic bWU6cCVDMyVBNHNzdyUyRnJk")
      #expect(
        requests.first.map { String(decoding: $0.body, as: UTF8.self) }
          == "grant_type=client_credentials&scope=a+me&x=y&audience=api")
      #expect(requests.last?["authorization"] == "Bearer tok-1")
      #expect(rig.environment.secrets.isIn(url: "http://a/tok-1"))
    }
  }

  @Test func `a hundred flows of two files make one token request`() async throws {
    try await Rig.with { rig in
      let count = Self.serve(rig)
      var flows: [DeclaredFlow] = []
      let auth = Self.oauth2(rig)
      let text = """
        reactor: 1
        \(Self.top)
        http: { base_url: "\(rig.server.url)", \(auth) }
        flows:

        """ + (0..<50).map { "  f\($0): { resource: /f\($0) }\n" }.joined()
      for path in ["flows/a.yaml", "flows/b.yaml"] {
        let compilation = rig.compile(text, path: path, inputs: Self.inputs)
        #expect(compilation.locations == [])
        flows += compilation.flows
      }
      await withTaskGroup(of: String.self) { group in
        for flow in flows { group.addTask { await rig.run(flow).message } }
        for await message in group { #expect(message == "") }
      }
      #expect(count.value == 1 && rig.server.requests.count == 101)
      #expect(Set(flows.map(\.credentialIdentity)).count == 1)
    }
  }

  @Test func `flows whose credentials differ do not share a token`() async throws {
    try await Rig.with { rig in
      let count = Self.serve(rig)
      for more in ["", "scopes: [a]", "scopes: [b]", "send: body", "value: \"Token {{ token }}\""] {
        let flow = try rig.flow(Self.oauth2(rig, more), top: Self.top, inputs: Self.inputs)
        #expect(await rig.run(flow, .fresh).kept == 1)
      }
      #expect(count.value == 5)
      #expect(rig.server.requests.last?["authorization"] == "Token tok-5")
    }
  }

  @Test func `a refused token is renewed once, and the second refusal stands`() async throws {
    try await Rig.with { rig in
      let count = Self.serve(rig, good: { $0 == 2 })
      let flow = try rig.flow(Self.oauth2(rig), top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow, .fresh).kept == 1)
      #expect(count.value == 2)
    }
    try await Rig.with { rig in
      let count = Self.serve(rig, good: { _ in false })
      let flow = try rig.flow(Self.oauth2(rig), top: Self.top, inputs: Self.inputs)
      for _ in 0..<3 {
        let run = await rig.run(flow, .fresh)
        #expect(run.error?.status == 401 && run.message.contains("who are you"))
      }
      #expect(count.value == 2)
    }
  }

  @Test(arguments: [(503, 2, true), (429, 2, true), (503, 9, false), (500, 1, false), (400, 1, false)])
  func `a token request that meets a busy server is sent again`(
    _ status: Int, _ failures: Int, _ passes: Bool
  ) async throws {
    try await Rig.with { rig in
      let count = Self.serve(rig) { number, _ in
        number <= failures
          ? answer("\(status) No", #"{"error":"not now"}"#)
          : ok(#"{"access_token":"tok-\#(number)","token_type":"bearer","expires_in":3600}"#)
      }
      let flow = try rig.flow(
        Self.oauth2(rig) + "\nretry: { max: 3, wait: 1ms, on: [429, 503] }", top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect((run.kept == 1) == passes, "\(run.message)")
      #expect(count.value == (passes ? failures + 1 : [429, 503].contains(status) ? 4 : 1))
      if !passes { #expect(run.message.contains("/token: the server answered with status \(status): not now")) }
    }
  }

  @Test func `a failing token request names its location and its reason, and no secret`() async throws {
    try await Rig.with { rig in
      _ = Self.serve(rig) { _, _ in
        answer("400 Bad", #"{"error":"invalid_scope","error_description":"not for you"}"#)
      }
      let flow = try rig.flow(Self.oauth2(rig), top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(
        run.message
          == "no token: POST \(rig.server.url)/token: the server answered with status 400: invalid_scope: not for you")
      #expect(run.error?.kind == .server && rig.result == nil)
      _ = await rig.run(flow)
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test(arguments: [302, 307, 308])
  func `a token request is not sent on to another origin`(status: Int) async throws {
    let other = try ScriptedServer { _ in ok(#"{"access_token":"evil"}"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      _ = Self.serve(rig) { _, _ in answer("\(status) Moved", "", ["Location: \(other.url)/token"]) }
      for more in ["", "send: body"] {
        let flow = try rig.flow(
          Self.oauth2(rig, more), top: Self.top, http: "redirects: any", inputs: Self.inputs)
        let run = await rig.run(flow)
        #expect(run.message.contains("another origin"), "\(run.message)")
      }
      #expect(other.acceptedConnections == 0)
    }
  }

  @Test func `a token in the query does not follow a redirect to another origin`() async throws {
    let other = try ScriptedServer { _ in ok(#"[{"id":1,"name":"a"}]"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      rig.answer { request in
        request.target.hasPrefix("/token")
          ? ok(#"{"access_token":"obt/ained+token"}"#)
          : answer("302 Found", "", ["Location: \(other.url)\(request.target)"])
      }
      let flow = try rig.flow(
        Self.oauth2(rig, "query: access_token"), top: Self.top, http: "redirects: any", inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(rig.server.requests.last?.target == "/users?access_token=obt%2Fained%2Btoken")
      #expect(run.message.contains("with a secret in the URL, which is refused"), "\(run.message)")
      #expect(other.acceptedConnections == 0 && !run.message.contains("obt"))
    }
  }

  @Test func `a login's requests are made in order and its token is used in its own words`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        switch request.target {
        case "/nonce": ok(#"{"n":{"once":77}}"#, "X-A: b")
        case "/login": ok(#"{"ok":true}"#, "X-Subject-Token: s-token")
        default: request["x-auth-token"] == "me:s-token/77" ? ok(#"[{"id":1,"name":"a"}]"#) : answer("401 No", "")
        }
      }
      let flow = try rig.flow(
        """
        auth:
          login:
            steps:
              - { resource: /nonce, values: { nonce: $.n.once } }
            resource:
              method: POST
              path: /login
              headers: { X-Nonce: "{{ nonce }}" }
              body: { json: { user: "{{ vars.user }}", password: "{{ secrets.PW }}", nonce: "n{{ nonce }}" } }
            token: headers.X-Subject-Token
            expires_after: 1h
            header: X-Auth-Token
            value: "{{ vars.user }}:{{ token }}/{{ nonce }}"
        """, top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let login = try #require(rig.server.requests.dropFirst().first)
      #expect(String(decoding: login.body, as: UTF8.self) == #"{"user":"me","password":"pässw/rd","nonce":"n77"}"#)
      #expect(login["x-nonce"] == "77" && login["authorization"] == nil)
      let shown = flow.explanation.items.first { $0.heading == "  auth" }?.text ?? ""
      #expect(
        shown.hasPrefix(
          "login by GET \(rig.server.url)/nonce, then POST \(rig.server.url)/login, in the header X-Auth-Token"))
    }
  }

  @Test func `a captured text is data: it is neither a template nor more than one header`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        request.target == "/login" ? ok(#"{"t":"{{ secrets.PW }}"}"#) : ok(#"[{"id":1,"name":"a"}]"#)
      }
      let flow = try rig.flow(
        "auth: { login: { resource: /login, token: $.t, value: \"x {{ token }}\" } }", top: Self.top,
        inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      #expect(rig.server.requests.last?["authorization"] == "x {{ secrets.PW }}")
    }
  }

  @Test func `explain tells how tokens are obtained, without asking and without secrets`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        Self.oauth2(rig, "grant: refresh_token, refresh_token: \"{{ secrets.REFRESH }}\", scopes: [a, b]"),
        top: Self.top, inputs: Self.inputs)
      let shown = try #require(flow.explanation.items.first { $0.heading == "  auth" }?.text)
      #expect(
        shown.hasPrefix(
          "oauth2 refresh_token of \(rig.server.url)/token, client me, secret {{ secrets.PW }}, "
            + "refresh token {{ secrets.REFRESH }} or the newer one in \(rig.scratch.folder)/.reactor/auth/127.0.0.1-"))
      #expect(shown.hasSuffix("renewed before it expires and once on status 401"))
      #expect(rig.server.acceptedConnections == 0 && rig.files.isEmpty && flow.auth == "oauth2")
    }
  }

  @Test func `a kept refresh token goes from run to run, below the output root`() async throws {
    try await Rig.with { rig in
      let current = Mutex("r0-token")
      _ = Self.serve(rig) { number, request in
        let sent = String(decoding: request.body, as: UTF8.self)
        return current.withLock { current in
          guard sent.contains("refresh_token=\(current)&") || sent.hasSuffix("refresh_token=\(current)") else {
            return answer("400 Bad", #"{"error":"invalid_grant"}"#)
          }
          current = "r\(number)-token"
          return ok(#"{"access_token":"tok-\#(number)","refresh_token":"\#(current)"}"#)
        }
      }
      for run in 1...3 {
        let environment = FlowEnvironment(root: rig.environment.root, clocks: .init(wallClock: rig.clock.wallClock))
        let text = rig.text(
          Self.oauth2(rig, "grant: refresh_token, refresh_token: \"{{ secrets.REFRESH }}\""), top: Self.top)
        let file = SourceFile(path: "flows/shop.yaml", text: text)
        let flow = try #require(rig.compile([file], inputs: Self.inputs, in: environment).flows.first)
        #expect(await rig.run(flow, .fresh).message == "")
        #expect(rig.server.requests.last?["authorization"] == "Bearer tok-\(run)")
        await environment.close()
      }
      let kept = rig.files.filter { $0.hasPrefix(".reactor/auth/127.0.0.1-") && $0.hasSuffix(".json") }
      #expect(kept.count == 1 && rig.scratch.text(kept.first ?? "")?.contains("r3-token") == true)
    }
  }
}
