import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Credentials that stay the same, on real connections.
@Suite struct AuthTests {
  private static let inputs = FlowCompiler.Inputs(secrets: [
    "TOKEN": Secret("s3cr3t-t0ken"), "WORD": Secret("päss:w/rd"),
  ])
  private static let top = "secrets: [TOKEN, WORD]\nvars: { user: me }"

  private struct Case: Sendable, CustomTestStringConvertible {
    var auth: String
    var resource = "/users"
    /// What the server must see.
    var header: (name: String, value: String)?
    var target = "/users"
    var body = ""
    var testDescription: String { auth }
  }

  private static let cases: [Case] = [
    Case(auth: "{ bearer: \"{{ secrets.TOKEN }}\" }", header: ("authorization", "Bearer s3cr3t-t0ken")),
    Case(
      auth: "{ basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.WORD }}\" } }",
      header: ("authorization", "Basic bWU6cMOkc3M6dy9yZA==")),
    Case(
      auth: "{ api_key: { header: X-API-Key, value: \"{{ secrets.TOKEN }}\" } }", header: ("x-api-key", "s3cr3t-t0ken")),
    Case(
      auth: "{ api_key: { query: api key, value: \"{{ secrets.WORD }}\" } }",
      target: "/users?api%20key=p%C3%A4ss%3Aw%2Frd"),
    Case(
      auth: "{ api_key: { body: key, value: \"{{ secrets.WORD }}\" } }",
      resource: "{ method: POST, path: /users, body: { json: { a: 1 } } }", body: #"{"a":1,"key":"päss:w/rd"}"#),
    Case(
      auth: "{ api_key: { body: key, value: \"{{ secrets.WORD }}\" } }",
      resource: "{ method: POST, path: /users, body: { form: { a: x y } } }", body: "a=x+y&key=p%C3%A4ss%3Aw%2Frd"),
    Case(auth: "none"),
  ]

  @Test(arguments: cases) private func `the server sees the credential where it was declared`(_ test: Case) async throws
  {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(
        "resource: \(test.resource)\nauth: \(test.auth)", top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let request = try #require(rig.server.requests.first)
      #expect(request.target == test.target)
      if let header = test.header { #expect(request[header.name] == header.value) }
      if test.auth == "none" { #expect(request["authorization"] == nil) }
      if !test.body.isEmpty { #expect(String(decoding: request.body, as: UTF8.self) == test.body) }
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n") + flow.request
      #expect(!shown.contains("s3cr3t") && !shown.contains("päss") && !shown.contains("bWU6"), "\(shown)")
      #expect(flow.auth == (test.auth == "none" ? nil : String(test.auth.dropFirst(2).prefix { $0 != ":" })))
    }
  }

  @Test func `the file's auth holds for every flow, and a flow's own replaces it`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        """
        reactor: 1
        secrets: [TOKEN, WORD]
        http: { base_url: "\(rig.server.url)", auth: { bearer: "{{ secrets.TOKEN }}" } }
        flows:
          a: { resource: /a }
          b: { resource: /b, auth: { api_key: { header: X-Key, value: "{{ secrets.TOKEN }}" } } }
          c: { resource: /c, auth: none }
          d: { resource: /d, http: { auth: { api_key: { query: k, value: "{{ secrets.TOKEN }}" } } } }
        """, inputs: Self.inputs)
      #expect(compilation.locations == [])
      for flow in compilation.flows { _ = await rig.run(flow) }
      let seen = rig.server.requests.map { "\($0.target) \($0["authorization"] ?? "-") \($0["x-key"] ?? "-")" }
      #expect(
        seen == ["/a Bearer s3cr3t-t0ken -", "/b - s3cr3t-t0ken", "/c - -", "/d?k=s3cr3t-t0ken - -"])
    }
  }

  /// The file's server is asked first; it sends every request on to another origin.
  @Test(arguments: cases.filter { $0.auth != "none" }, [301, 302, 307, 308])
  private func `no credential follows a redirect to another origin`(_ test: Case, _ status: Int) async throws {
    let other = try ScriptedServer { _ in ok(#"[{"id":1,"name":"a"}]"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      rig.answer { request in
        // The server says the request's own query back, as most do.
        answer("\(status) Found", "", ["Location: \(other.url)\(request.target)"])
      }
      let flow = try rig.flow(
        "resource: \(test.resource)\nauth: \(test.auth)", top: Self.top, http: "redirects: any", inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(rig.server.requests.count == 1)
      let isSent = !test.target.contains("key") && (test.body.isEmpty || status < 307)
      #expect(other.requests.count == (isSent ? 1 : 0))
      #expect((run.error == nil) == isSent)
      if !isSent {
        #expect(run.message.contains("another origin") && run.message.contains("refused"), "\(run.message)")
      }
      for request in other.requests {
        let all = "\(request.line)\(request.fields)\(String(decoding: request.body, as: UTF8.self))"
        #expect(!all.contains("s3cr3t") && !all.contains("ss%3Aw") && !all.contains("päss") && !all.contains("bWU6"))
      }
    }
  }

  @Test func `a secret is told before the first request`() async throws {
    try await Rig.with { rig in
      _ = try rig.flow(
        "auth: { basic: { username: \"{{ vars.user }}\", password: \"{{ secrets.WORD }}\" } }", top: Self.top,
        inputs: Self.inputs)
      #expect(rig.environment.secrets.isIn(url: "http://a/p%C3%A4ss%3aw%2Frd"))
      #expect(rig.environment.secrets.isIn(url: "http://a/?q=bWU6cMOkc3M6dy9yZA=="))
      #expect(!rig.environment.secrets.isIn(url: "http://a/me"))
    }
  }

  @Test func `the identity changes with the credentials, and the result's key does not`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      func flow(_ token: String) throws -> DeclaredFlow {
        try rig.flow(
          "auth: { bearer: \"{{ secrets.TOKEN }}\" }", top: "secrets: [TOKEN]",
          inputs: .init(secrets: ["TOKEN": Secret(token)]))
      }
      let (first, second, third) = (try flow("token-one"), try flow("token-two"), try flow("token-one"))
      #expect(first.credentialIdentity == third.credentialIdentity)
      #expect(first.credentialIdentity != second.credentialIdentity && first.credentialIdentity.count == 64)
      #expect(await rig.run(first).source == .network)
      #expect(await rig.run(second).source == .persistence)
      #expect(try rig.flow().credentialIdentity == "")
    }
  }

  @Test(arguments: [
    ("bearer: \"{{ secrets.NONE }}\"", "template.unset-secret@2:1"),
    ("basic: { username: \"{{ env.USER_NAME }}\", password: \"{{ secrets.NONE }}\" }", "flow.auth-value@2:1"),
  ])
  func `what cannot be resolved is reported before anything is asked`(auth: String, code: String) async throws {
    try await Rig.with { rig in
      let secrets = auth.hasPrefix("basic") ? ["NONE": Secret("there")] : [:]
      let compilation = rig.compile(
        rig.text("auth: { \(auth) }", top: "secrets: [NONE]"),
        inputs: .init(secrets: secrets, environment: ["USER_NAME": "a:b"]))
      #expect(compilation.flows.isEmpty)
      let code = code.prefix { $0 != "@" }
      #expect(compilation.diagnostics.diagnostics.map(\.code.rawValue) == [String(code)])
      #expect(rig.server.acceptedConnections == 0)
    }
  }
}
