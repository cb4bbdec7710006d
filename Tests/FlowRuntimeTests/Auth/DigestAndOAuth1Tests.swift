import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Flows whose requests have a digest or a signature of OAuth 1.0, on real connections.
@Suite(.timeLimit(.minutes(2))) struct DigestAndOAuth1Tests {
  private static let top = "secrets: [PASSWORD, TOKEN]"
  private static let inputs = FlowCompiler.Inputs(secrets: [
    "PASSWORD": Secret("p4ss/word+1="), "TOKEN": Secret("t0ken/secret+2="),
  ])
  private static let digest = #"auth: { digest: { username: ada, password: "{{ secrets.PASSWORD }}" } }"#
  private static let oauth1 = """
    auth:
      oauth1:
        client_id: client
        client_secret: "{{ secrets.PASSWORD }}"
        token: account
        token_secret: "{{ secrets.TOKEN }}"
    """

  @Test func `flows of a server share a challenge, and pages and retries count on`() async throws {
    try await Rig.with { rig in
      rig.answer { [server = rig.server] request in
        guard let field = request["authorization"] else {
          return answer401
        }
        if server.requests.count == 3 { return answer("503 Busy", "[]") }
        #expect(field.hasPrefix("Digest username=\"ada\", realm=\"shop\", uri=\"\(request.target)\""))
        return ok(request.target.hasSuffix("page=1") ? #"[{"id":1,"name":"a"}]"# : "[]")
      }
      let text = """
        reactor: 1
        \(Self.top)
        http: { base_url: "\(rig.server.url)", \(Self.digest) }
        defaults: { reachability: false, retry: { max: 1, on: [503] } }
        flows:
          one: { resource: /1, pages: { by: page, query: page } }
          two: { resource: /2, pages: { by: page, query: page } }
        """
      let flows = rig.compile(text, inputs: Self.inputs).flows
      #expect(await rig.run(flows[0]).kept == 1)
      #expect(await rig.run(flows[1]).kept == 1)
      let counts = rig.server.requests.map { request in
        request["authorization"].flatMap { $0.split(separator: ", ").first { $0.hasPrefix("nc=") } }.map(String.init)
      }
      #expect(counts == [nil, "nc=00000001", "nc=00000002", "nc=00000003", "nc=00000004", "nc=00000005"])
      let shown = flows[0].explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("digest, user ada, password {{ secrets.PASSWORD }}") && !shown.contains("p4ss"))
      #expect(rig.environment.secrets.isIn(url: "http://a/?x=p4ss%2Fword%2B1%3D"))
    }
  }

  @Test func `a wrong password is sent once by all flows together`() async throws {
    try await Rig.with(answer401) { rig in
      let text = """
        reactor: 1
        \(Self.top)
        http: { base_url: "\(rig.server.url)", \(Self.digest) }
        defaults: { reachability: false }
        flows: { one: { resource: /1 }, two: { resource: /2 }, three: { resource: /3 } }
        """
      let flows = rig.compile(text, inputs: Self.inputs).flows
      for flow in flows {
        let run = await rig.run(flow)
        #expect(run.error?.status == 401 && !run.message.contains("p4ss"))
      }
      #expect(rig.server.requests.compactMap { $0["authorization"] }.count == 1)
    }
  }

  @Test func `each page and retry has a signature of its own`() async throws {
    try await Rig.with { rig in
      rig.answer { [server = rig.server] request in
        if server.requests.count == 1 { return answer("503 Busy", "", ["Retry-After: 70"]) }
        return ok(request.target.hasSuffix("page=1") ? #"[{"id":1,"name":"a"}]"# : "[]")
      }
      let flow = try rig.flow(
        "pages: { by: page, query: page }\nreachability: false\nretry: { max: 2, max_wait: 2m }\n" + Self.oauth1,
        top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let sent = rig.server.requests.compactMap { $0["authorization"] }
      #expect(sent.count == 3 && Set(sent).count == 3)
      for text in sent {
        #expect(text.hasPrefix("OAuth oauth_consumer_key=\"client\", oauth_token=\"account\", "))
        #expect(!text.contains("p4ss") && !text.contains("t0ken"))
      }
      #expect(sent[0].contains("oauth_timestamp=\"1700000000\"") && sent[1].contains("oauth_timestamp=\"1700000070\""))
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("oauth1 HMAC-SHA1, client client, secret {{ secrets.PASSWORD }}, token account"))
      #expect(!shown.contains("p4ss") && flow.auth == "oauth1")
    }
  }

  @Test func `secrets are not sent as they are without TLS`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        rig.text(Self.oauth1 + "\n    algorithm: PLAINTEXT", top: Self.top), inputs: Self.inputs)
      #expect(
        compilation.diagnostics.diagnostics.map(\.message) == [
          "'algorithm: PLAINTEXT' would send the secrets without encryption"
        ])
    }
  }

  @Test(arguments: [(301, true), (307, true), (307, false)])
  func `nothing follows a redirect to another origin`(_ status: Int, isDigest: Bool) async throws {
    let other = try ScriptedServer { _ in ok(#"[{"id":1,"name":"a"}]"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      rig.answer { request in
        isDigest && request["authorization"] == nil
          ? answer401 : answer("\(status) Found", "", ["Location: \(other.url)/x"])
      }
      let flow = try rig.flow(
        isDigest ? Self.digest : Self.oauth1, top: Self.top, http: "redirects: any", inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      #expect(try #require(other.requests.first)["authorization"] == nil)
    }
  }
}

/// A challenge.
private let answer401 = answer(
  "401 Unauthorized", "", [#"WWW-Authenticate: Digest realm="shop", nonce="n1", qop="auth", algorithm=SHA-256"#])
