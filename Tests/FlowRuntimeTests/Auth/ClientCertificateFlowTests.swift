import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Flows whose server demands a client certificate.
@Suite(.timeLimit(.minutes(2))) struct ClientCertificateFlowTests {
  private static let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret("key-4711")])

  @Test func `a flow shows its certificate, and explain does not show the password`() async throws {
    guard let server = try TLSServer(.good, demandsCertificate: true) else {
      print("skipped: the openssl and python3 commands are needed for TLS tests")
      return
    }
    defer { server.stop() }
    try await Rig.with { rig in
      let text = """
        reactor: 1
        secrets: [KEY]
        http:
          base_url: https://127.0.0.1:\(server.port)
          ca_file: \(server.authority)
          client_certificate:
            file: \(server.file("client.pem"))
            key: \(server.file("client.key"))
            password: "{{ secrets.KEY }}"
        flows:
          users: { resource: /who }
          none: { resource: /who, retry: none, http: { client_certificate: none } }
        """
      let flows = rig.compile(text, inputs: Self.inputs).flows
      try #require(flows.count == 2)
      #expect(await rig.run(flows[0]).kept == 1)
      let shown = flows[0].explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("certificate \(server.file("client.pem")), key") && !shown.contains("key-4711"))
      #expect(rig.environment.secrets.isIn(url: "http://a/?x=key-4711"))
      let refused = await rig.run(flows[1])
      #expect(refused.error != nil && refused.kept == nil)
    }
  }

  @Test func `the certificate of the file is not shown to another server silently`() async throws {
    try await Rig.with { rig in
      let text = """
        reactor: 1
        http: { base_url: https://a.example, client_certificate: { file: c.pem } }
        flows:
          other: { resource: /, http: { base_url: https://b.example } }
          none: { resource: /, http: { base_url: https://b.example, client_certificate: none } }
          same: { resource: /, http: { base_url: https://a.example/v2 } }
        """
      #expect(
        rig.compile(text).diagnostics.diagnostics.map(\.message) == [
          "flow 'other' would show the file's client certificate to another server"
        ])
    }
  }
}
