import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Authorization of which a value chooses the kind.
@Suite struct ChooseTests {
  private static let auth = """
    auth:
      choose:
        by: vars.kind
        cases:
          token: { bearer: "{{ secrets.TOKEN }}" }
          pass word: { basic: { username: me, password: "{{ secrets.WORD }}" } }
          both:
            choose:
              by: "has(secrets.WORD) ? 'word' : 'key'"
              cases:
                word: { bearer: "{{ secrets.WORD }}" }
                key: { api_key: { header: X-Key, value: "{{ secrets.TOKEN }}" } }
    """

  private static func top(_ kind: String) -> String { "secrets: [TOKEN, WORD]\nvars: { kind: \(kind) }" }

  private static func inputs(_ secrets: [String: String]) -> FlowCompiler.Inputs {
    FlowCompiler.Inputs(secrets: secrets.mapValues { Secret($0) })
  }

  /// The secrets of other cases have no value.
  @Test(arguments: [
    ("token", ["TOKEN": "t0ken-4711"], "Bearer t0ken-4711 -", "case 'token' of vars.kind: bearer"),
    ("pass word", ["WORD": "s3cret"], "Basic bWU6czNjcmV0 -", "case 'pass word' of vars.kind: basic"),
    ("both", ["TOKEN": "t0ken-4711"], "- t0ken-4711", "case 'key' of has(secrets.WORD)"),
    ("both", ["TOKEN": "t0ken-4711", "WORD": "s3cret"], "Bearer s3cret -", "case 'word' of has(secrets.WORD)"),
  ]) func `the server sees the chosen credential only, and explain says why`(
    _ kind: String, _ secrets: [String: String], _ seen: String, _ words: String
  ) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(Self.auth, top: Self.top(kind), inputs: Self.inputs(secrets))
      #expect(await rig.run(flow).kept == 1)
      let request = try #require(rig.server.requests.first)
      #expect("\(request["authorization"] ?? "-") \(request["x-key"] ?? "-")" == seen)
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains(words) && shown.contains("not chosen: "), "\(shown)")
      for secret in secrets.values { #expect(!shown.contains(secret)) }
    }
  }

  @Test func `without a case of that name, 'else' holds, else it is an error that lists the cases`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let kinds = Self.inputs(["TOKEN": "t0ken-4711"])
      let compilation = rig.compile(rig.text(Self.auth, top: Self.top("tokn")), inputs: kinds)
      let problem = try #require(compilation.diagnostics.diagnostics.first)
      #expect(compilation.flows.isEmpty && problem.code == FlowCode.authValue.code)
      #expect(problem.message == "'tokn', the value of 'vars.kind', is not a case of 'choose'")
      #expect(problem.help == "the cases are 'token', 'pass word', 'both'; give one of them, or add 'else'")
      let flow = try rig.flow(
        Self.auth.replacing("    cases:\n      token", with: "    else: none\n    cases:\n      token"),
        top: Self.top("tokn"), inputs: kinds)
      #expect(await rig.run(flow).kept == 1)
      #expect(rig.server.requests.first?["authorization"] == nil && flow.auth == nil)
      let shown = flow.explanation.items.map(\.text).joined(separator: "\n")
      #expect(shown.contains("no case of vars.kind applies, so else: none"), "\(shown)")
    }
  }

  @Test func `the value of a secret that chooses is not shown`() async throws {
    try await Rig.with { rig in
      let text = rig.text(
        Self.auth.replacing("by: vars.kind", with: "by: secrets.WORD"), top: Self.top("token"))
      let compilation = rig.compile(text, inputs: Self.inputs(["WORD": "s3cret-word"]))
      let problem = try #require(compilation.diagnostics.diagnostics.first)
      #expect(problem.message == "the value of 'secrets.WORD' is not a case of 'choose'")
    }
  }

  @Test func `a chosen case whose secret has no value is an error at that secret`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        rig.text(Self.auth, top: Self.top("token")), inputs: Self.inputs(["WORD": "s3cret"]))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == ["secret 'TOKEN' has no value"])
    }
  }

  @Test func `every case is checked, whichever is chosen`() async throws {
    try await Rig.with { rig in
      let flow = "resource: { path: /users, headers: { X-Key: a } }\n" + Self.auth
      let compilation = rig.compile(
        rig.text(flow, top: Self.top("token")), inputs: Self.inputs(["TOKEN": "t0ken-4711"]))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == ["header 'X-Key' is also set by 'auth'"])
    }
  }

  /// The key of a result follows the account, not the way to it.
  @Test func `a result belongs to the chosen kind`() throws {
    func key(_ auth: String, _ kind: String) throws -> [String] {
      try #require(
        resultKeys(
          of: """
            reactor: 1
            \(Self.top(kind))
            http: { base_url: https://api.example.com }
            flows: { orders: { resource: /orders, auth: \(auth) } }
            """))
    }
    let choice = """
      { choose: { by: vars.kind, cases: { token: { bearer: "{{ secrets.TOKEN }}" } }, else: none } }
      """
    #expect(try key(choice, "token") == key(#"{ bearer: "{{ secrets.TOKEN }}" }"#, "other"))
    #expect(try key(choice, "other") == key("none", "other"))
    #expect(try key(choice, "token") != key(choice, "other"))
  }
}
