import FlowModel
import SourceDiagnostics
import Testing

@testable import FlowSpec

/// The sources of secrets, and which secrets a flow uses.
@Suite struct SecretSourceTests {
  private func file(_ secrets: String, _ rest: String = "flows: { a: { resource: /a } }") -> LoadedFlows {
    Project("reactor: 1\nsecrets: \(secrets)\nhttp: { base_url: https://a.example }\n\(rest)\n").load()
  }

  @Test func `each form is read`() throws {
    let loaded = file(
      """
      {A: { file: tls/a }, B: { file: /run/secrets/b }, C: { command: [pass, show, c] },
        D: { command: [vault], timeout: 500ms }, E: { sops: ../x.yaml }, F: { sops: x.yaml, key: api.0.token }, G: }
      """)
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics)")
    let declared = try #require(loaded.files.first)
    #expect(declared.secrets.map(\.value) == ["A", "B", "C", "D", "E", "F", "G"])
    #expect(
      declared.secretSources.mapValues(\.value) == [
        "A": .file("flows/tls/a"), "B": .file("/run/secrets/b"), "C": .command(["pass", "show", "c"], limit: 30),
        "D": .command(["vault"], limit: 0.5), "E": .sops("flows/../x.yaml", key: ["E"], limit: 30),
        "F": .sops("flows/x.yaml", key: ["api", "0", "token"], limit: 30),
      ])
  }

  @Test(arguments: [
    ("{ A: hush-hush }", "a flow file does not contain the values of secrets"),
    ("{ A: [x] }", "a flow file does not contain the values of secrets"), ("{ A: {} }", "the secret has no source"),
    ("{ A: { file: x, command: [y] } }", "'file' and 'command' cannot be used together"),
    ("{ A: { command: [x], sops: y } }", "'command' and 'sops' cannot be used together"),
    ("{ A: { program: [x] } }", "unknown key 'program'"), ("{ 'a b': { file: x } }", "'a b'"),
    ("{ A: { command: pass show a } }", "must be a list"), ("{ A: { command: [''] } }", "names no program"),
  ])
  func `a mistake is one error, and nobody misses the name`(_ secrets: String, _ message: String) {
    let loaded = file(secrets, "flows: { a: { resource: /a, http: { headers: { x: '{{ secrets.A }}' } } } }")
    let found = loaded.diagnostics.diagnostics
    #expect(found.count == 1 && found.first?.message.contains(message) == true, "\(found)")
    #expect(!found.contains { $0.message.contains("hush") || $0.help?.contains("hush") == true })
  }

  @Test func `a flow has the secrets that it uses, and its file those of the shared parts`() throws {
    let loaded = file(
      "{ A: , B: { file: b }, C: { file: c }, D: { file: d }, E: { file: e } }",
      """
      stores: { s: { postgres: "{{ secrets.E }}" } }
      flows:
        plain: { resource: /a }
        header: { resource: /a, http: { headers: { x: "{{ secrets.B }}" } } }
        auth: { resource: /a, auth: { basic: { username: "{{ secrets.A }}", password: "{{ upper(secrets.C) }}" } } }
        many:
          for: { values: [x, y], as: item }
          resource: { method: POST, path: /a, body: { json: { k: "{{ secrets.D }}" } } }
      """)
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics)")
    let used = Dictionary(grouping: loaded.flows, by: \.name).mapValues { $0.map(\.secrets) }
    #expect(used["plain"] == [[]] && used["header"] == [["B"]] && used["auth"] == [["A", "C"]])
    #expect(loaded.flows.filter { $0.name.hasPrefix("many") }.map(\.secrets) == [["D"], ["D"]])
    #expect(loaded.files.first?.sharedSecrets == ["E"])
  }
}
