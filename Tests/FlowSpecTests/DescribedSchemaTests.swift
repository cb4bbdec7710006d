import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import Testing

@testable import FlowSpec

/// Schemas of which a file describes fields.
@Suite struct DescribedSchemaTests {
  private static func text(_ described: String, fields: String = "{ id: integer }") -> String {
    """
    reactor: 1
    vars: { kind: deal }
    http: { base_url: https://api.example.com }
    flows:
      list: { resource: /list }
      deals:
        resource: /deals
        schema:
          key: id
          fields: \(fields)
          described: \(described)

    """
  }

  private static let file = """
    {"name":"id","type":"text"}
    {"name":"amount","type":"currency"}
    {"name":"paid","type":"bool"}
    {"name":"odd name","type":"string"}
    """

  private func load(_ text: String, _ others: [String: String] = ["flows/fields.jsonl": Self.file]) -> LoadedFlows {
    Project(text, others: others).load()
  }

  private func fields(_ loaded: LoadedFlows, _ name: String = "deals") -> [String] {
    loaded.flows.first { $0.name == name }?.schema?.fields.map {
      let isOptional = if case .optional = $0.missing { true } else { false }
      return "\($0.name): \($0.type.name)\(isOptional ? "?" : "") \($0.from.value.text)"
    } ?? []
  }

  @Test func `a file describes fields of a schema`() {
    let loaded = load(Self.text("{ file: fields.jsonl, cases: { currency: decimal } }"))
    #expect(loaded.diagnostics.diagnostics.isEmpty, "\(loaded.diagnostics.diagnostics)")
    #expect(
      fields(loaded) == [
        "id: integer $.id", "amount: decimal? $.amount", "paid: boolean? $.paid", "odd name: string? $['odd name']",
      ])
    #expect(!loaded.itemFiles.isEmpty)
  }

  @Test func `paths find names and types, and the fields are inside an object`() {
    let loaded = load(
      Self.text("{ file: fields.json, name: $.api.name, type: $.kind, else: json, from: $.properties.all }"),
      ["flows/fields.json": #"[{"api":{"name":"a"},"kind":"x"},{"api":{"name":"b"},"kind":"int"}]"#])
    #expect(
      fields(loaded) == [
        "id: integer $.id", "a: json? $.properties.all.a", "b: integer? $.properties.all.b",
      ], "\(loaded.diagnostics.diagnostics)")
  }

  @Test func `each flow of a 'for' has the fields that its file describes`() {
    let text = Self.text("{ file: \"{{ vars.object }}.json\" }").replacing(
      "  deals:", with: "  objects:\n    for: { values: [deal, note], as: object }")
    let loaded = load(
      text,
      [
        "flows/deal.json": #"[{"name":"amount","type":"decimal"}]"#,
        "flows/note.json": #"[{"name":"text","type":"string"}]"#,
      ])
    #expect(fields(loaded, "objects_deal") == ["id: integer $.id", "amount: decimal? $.amount"])
    #expect(fields(loaded, "objects_note") == ["id: integer $.id", "text: string? $.text"])
  }

  @Test func `a described field can be the key`() {
    let loaded = load(Self.text("{ file: fields.jsonl, else: string }", fields: "{ x: string }"))
    #expect(loaded.diagnostics.diagnostics.isEmpty && loaded.flows.count == 2)
  }

  @Test func `without the file its flows do not run, and the others do`() {
    let loaded = load(Self.text("{ file: \"{{ vars.kind }}.json\" }"), [:])
    #expect(loaded.codes == ["flow.for-nothing"] && !loaded.diagnostics.hasErrors)
    #expect(loaded.flows.map(\.name) == ["list"])
  }

  @Test(arguments: [
    (
      "{ file: f.json }", #"[{"name":"a","type":"x"},{"name":"b","type":"y"}]"#,
      "'flows/f.json' has unknown types: 'x' and 'y'"
    ),
    ("{ file: f.json }", #"[{"name":"a","type":"list"}]"#, "'flows/f.json' has unknown types: 'list'"),
    (
      "{ file: f.json }", #"[{"name":"a","type":"int"},{"name":"a","type":"int"}]"#,
      "'flows/f.json' describes the field 'a' twice"
    ),
    ("{ file: f.json }", #"[{"name":"a"}]"#, "item 1 of 'flows/f.json' does not have both a field name and a type"),
    (
      "{ file: f.json }", #"[{"name":"","type":"int"}]"#,
      "item 1 of 'flows/f.json' does not have both a field name and a type"
    ),
    ("{ file: f.json }", #"[3]"#, "item 1 of 'flows/f.json' does not have both a field name and a type"),
    ("{ file: f.json }", #"[{"#, "'flows/f.json' is not JSON"),
    ("{ file: f.json, cases: { x: lst } }", #"[]"#, "'lst' is not one of the types that need no options"),
  ])
  func `descriptions that give no schema are found`(_ described: String, _ content: String, _ message: String) {
    let loaded = load(Self.text(described), ["flows/f.json": content])
    let found = loaded.diagnostics.diagnostics.map(\.message)
    #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
    #expect(!loaded.flows.contains { $0.name == "deals" })
  }
}
