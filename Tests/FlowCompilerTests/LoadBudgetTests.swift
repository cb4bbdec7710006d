import FlowCompiler
import FlowSpec
import FlowTesting
import SourceDiagnostics
import Testing

/// Some lines of a file cannot ask for more memory than a machine has.
@Suite struct LoadBudgetTests {
  @Test func `variables that double each other are an error with its place`() async throws {
    try await Rig.with { rig in
      let lines = (1...40).map { "  a\($0): { value: \"{{ vars.a\($0 - 1) }}{{ vars.a\($0 - 1) }}\" }" }
      let text = """
        reactor: 1
        vars:
          a0: "xxxxxxxxxxxxxxxx"
        \(lines.joined(separator: "\n"))
        http: { base_url: "http://127.0.0.1:1" }
        flows:
          f: { resource: /x }
        """
      let found = rig.compile(text).diagnostics.diagnostics
      #expect(found.contains { $0.message.contains("longer than 1024 KiB") && $0.range?.start.line == 20 }, "\(found)")
      #expect(found.allSatisfy { $0.message.utf8.count < 2000 })
    }
  }

  @Test func `the texts of all flows together are bounded`() async throws {
    try await Rig.with { rig in
      let text = """
        reactor: 1
        vars: { a: "\(String(repeating: "x", count: 300_000))", n: { type: list, default: "\((1...900).map { String($0) }.joined(separator: ","))" } }
        http: { base_url: "http://127.0.0.1:1" }
        flows:
          f: { for: { values: "{{ vars.n }}", as: i }, resource: "/{{ vars.i }}/{{ vars.a }}" }
        """
      let found = rig.compile(text).diagnostics.diagnostics
      #expect(found.contains { $0.message.contains("all texts together longer than 128 MiB") })
    }
  }

  @Test func `the flows of all lists together are bounded`() async throws {
    try await Rig.with { rig in
      let items = (1...9000).map { String($0) }.joined(separator: ",")
      let flows = (1...3).map { "  f\($0): { for: { values: [\(items)], as: i }, resource: \"/{{ vars.i }}\" }" }
      let text = "reactor: 1\nhttp: { base_url: \"http://127.0.0.1:1\" }\nflows:\n" + flows.joined(separator: "\n")
      let found = rig.compile(text).diagnostics.diagnostics
      #expect(found.map(\.message) == ["'for' gives more than 20000 flows in all files together"])
    }
  }
}
