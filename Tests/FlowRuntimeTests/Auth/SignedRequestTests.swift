import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Requests that are signed one by one, on real connections.
@Suite(.timeLimit(.minutes(2))) struct SignedRequestTests {
  private static let top = "secrets: [ACCESS, SECRET, TOKEN]"
  private static let inputs = FlowCompiler.Inputs(secrets: [
    "ACCESS": Secret("AKIDEXAMPLE"), "SECRET": Secret("s3cret/Key+4711="), "TOKEN": Secret("session/t0ken+1="),
  ])
  private static let auth = """
    auth:
      sigv4:
        service: execute-api
        region: eu-central-1
        key_id: "{{ secrets.ACCESS }}"
        key: "{{ secrets.SECRET }}"
        token: "{{ secrets.TOKEN }}"
    """

  @Test func `a retry has a signature of its own time`() async throws {
    try await Rig.with { rig in
      rig.answer { [server = rig.server] _ in
        server.requests.count == 1 ? answer("503 Busy", "", ["Retry-After: 70"]) : ok(#"[{"id":1,"name":"a"}]"#)
      }
      let flow = try rig.flow("retry: { max: 2, max_wait: 2m }\n" + Self.auth, top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let dates = rig.server.requests.compactMap { $0["x-amz-date"] }
      #expect(dates == ["20231114T221320Z", "20231114T221430Z"])
      let sent = rig.server.requests.compactMap { $0["authorization"] }
      #expect(Set(sent).count == 2)
      for signature in sent {
        #expect(
          signature.hasPrefix(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/eu-central-1/execute-api/aws4_request, "
              + "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature="))
      }
      #expect(rig.server.requests.allSatisfy { $0["x-amz-security-token"] == "session/t0ken+1=" })
      #expect(rig.environment.secrets.isIn(url: "http://a/?x=s3cret%2FKey%2B4711%3D"))
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(
        shown.contains("sigv4 for execute-api in eu-central-1, key {{ secrets.ACCESS }}, secret {{ secrets.SECRET"))
      #expect(!shown.contains("s3cret") && flow.auth == "sigv4")
    }
  }

  @Test(arguments: [301, 307]) func `no signature and no token follows a redirect to another origin`(
    _ status: Int
  ) async throws {
    let other = try ScriptedServer { _ in ok(#"[{"id":1,"name":"a"}]"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      rig.answer { _ in answer("\(status) Found", "", ["Location: \(other.url)/x"]) }
      let flow = try rig.flow(Self.auth, top: Self.top, http: "redirects: any", inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let request = try #require(other.requests.first)
      #expect(request["authorization"] == nil && request["x-amz-security-token"] == nil)
    }
  }

  @Test func `a 403 is not tried again with another signature`() async throws {
    try await Rig.with(answer("403 Forbidden", #"{"message":"SignatureDoesNotMatch"}"#)) { rig in
      let flow = try rig.flow(Self.auth, top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(run.error?.status == 403 && rig.server.requests.count == 1)
    }
  }

  @Test(arguments: ["X-Amz-Date", "x-amz-content-sha256", "X-AMZ-Security-Token", "authorization"])
  func `a header that the signature sets cannot be set by hand`(_ name: String) async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        rig.text("resource: { path: /users, headers: { \(name): a } }\n" + Self.auth, top: Self.top),
        inputs: Self.inputs)
      #expect(compilation.diagnostics.diagnostics.map(\.message) == ["header '\(name)' is also set by 'auth'"])
    }
  }

  @Test(arguments: [("ACCESS", "AKID/x"), ("ACCESS", "AKID,x"), ("ACCESS", ""), ("SECRET", "")])
  func `a value that would break the signature is an error that does not show it`(
    _ name: String, _ value: String
  ) async throws {
    try await Rig.with { rig in
      var inputs = Self.inputs
      inputs.secrets[name] = Secret(value)
      let compilation = rig.compile(rig.text(Self.auth, top: Self.top), inputs: inputs)
      let problem = try #require(compilation.diagnostics.diagnostics.first)
      #expect(compilation.flows.isEmpty && problem.code == FlowCode.authValue.code)
      #expect(value.isEmpty || !problem.message.contains(value))
    }
  }
}
