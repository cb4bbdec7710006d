import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Requests that list the fields of the flow's schema.
@Suite struct SchemaFieldsTests {
  private static let schema =
    "schema: { key: id, fields: { id: integer, name: string, label: { value: \"{{ record.name }}!\" } } }"

  @Test(arguments: [
    "resource: { path: /a, query: { fields: \"{{ join(schema.fields, ',') }}\" } }",
    // With a name that is known only while the flow runs, too.
    "each: { values: [1], as: n }\nresource: { path: /a, query: { fields: \"{{ join(schema.fields, ',') + (n > 1 ? 'x' : '') }}\" } }",
  ])
  func `a request lists the fields that are read`(_ resource: String) async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let run = await rig.run(try rig.flow("\(resource)\n\(Self.schema)"))
      #expect(run.message == "" && run.kept == 1)
      #expect(rig.server.requests.last?.target == "/a?fields=id%2Cname")
    }
  }

  @Test func `without a schema there are no fields to list`() {
    let text = """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows: { a: { resource: { path: /a, query: { fields: "{{ join(schema.fields, ',') }}" } } } }
      """
    let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "a.yaml", bytes: Array(text.utf8))])
    #expect(loaded.diagnostics.diagnostics.map(\.code.rawValue) == ["template.unknown-root"])
  }
}
