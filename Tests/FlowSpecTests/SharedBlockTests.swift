import FlowModel
@testable import FlowSpec
import JSONSyntax
import SourceDiagnostics
import Testing

/// Blocks that several flows of a file share: below keys that begin with `x-`, by an anchor.
@Suite struct SharedBlockTests {
  private static func file(_ block: String, keys: String = "") -> String {
    """
    reactor: 1
    http: { base_url: https://api.example.com }
    x-list: &list
      \(block)
    flows:
      a: { <<: *list, resource: /a, persistence: out/a.jsonl\(keys) }
      b: { <<: *list, resource: /b, persistence: out/b.jsonl }
    """
  }

  @Test func `a block is put into the flows that name it, and their own keys win`() throws {
    let loaded = Project(Self.file("records: $.data", keys: ", records: $.own")).load()
    #expect(loaded.codes == [])
    #expect(loaded.flows.map { $0.pull.records?.value.text } == ["$.own", "$.data"])
  }

  @Test func `a mistake in a block is reported there`() {
    let loaded = Project(Self.file("recrds: $.data")).load()
    #expect(Set(loaded.codes) == ["flow.unknown-key"])
    #expect(loaded.diagnostics.diagnostics.allSatisfy { $0.range?.start.line == 4 })
  }

  @Test func `a file of schemas has blocks, and a flow has none`() {
    let flow = Project(flowFile("resource: /a\nx-list: 1")).load()
    #expect(flow.codes == ["flow.unknown-key"])
    let schemas = Project(
      flowFile("resource: /a\nschema: customer"),
      others: [
        "schemas/shop.yaml": "reactor: 1\nx-id: &id integer\nschemas:\n  customer: { fields: { id: *id } }\n"
      ]
    ).load()
    #expect(schemas.codes == [])
  }
}
