import FlowSpec
import Foundation
import Testing

@Suite struct ReferenceTests {
  @Test func `the reference pages are what the tables say, short, and all that there are`() throws {
    let folder = "docs/reference/\(ReferencePage.folder)"
    try Golden.check(ReferencePage.index, "\(folder).md")
    for name in ConstructName.allCases {
      let page = ReferencePage.page(of: name)
      try Golden.check(page, "\(folder)/\(ReferencePage.file(name))")
      #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(name.rawValue)")
    }
    let path = Golden.repository.appendingPathComponent(folder).path
    let files = Set(try FileManager.default.contentsOfDirectory(atPath: path))
    #expect(files == Set(ConstructName.allCases.map { ReferencePage.file($0) }))
  }

  @Test func `the editors' schemas are what the tables say`() throws {
    try Golden.check(EditorSchema.flowFile, "schemas/flow.schema.json")
    try Golden.check(EditorSchema.schemaFile, "schemas/schema.schema.json")
  }

  @Test(arguments: ConstructName.allCases)
  func `every key is explained with its value, its default and an example`(_ name: ConstructName) throws {
    for field in name.construct.fields {
      let text = try #require(FieldReference.explain("\(name.rawValue).\(field.name)"))
      #expect(text.contains(field.summary) && text.contains("Right:"))
      try Self.expectPages(of: text, key: field.name)
      #expect(FieldReference.explain(field.name) != nil)
    }
    #expect(FieldReference.explain(name.rawValue)?.contains(name.construct.summary) == true)
  }

  /// Expects that each address in a text leads to a heading of a page.
  private static func expectPages(of text: String, key: String) throws {
    let addresses = text.split(separator: "\n").filter { $0.hasPrefix("Page: ") }.map { $0.dropFirst(6) }
    #expect(addresses.contains { $0.hasSuffix("#\(key)") })
    for address in addresses {
      let parts = address.split(separator: "#").map(String.init)
      let page = try String(contentsOf: Golden.repository.appendingPathComponent(parts[0]), encoding: .utf8)
      guard parts.count == 2 else { continue }
      #expect(parts[1] == key && page.contains("\n## `\(key)`\n"), "\(address)")
    }
  }

  @Test(arguments: [
    ("flows.shop.prune", "prune (in a flow)"), ("flows.prune", "prune (in a flow)"),
    ("http.timeout", "timeout (in 'http')"), ("vars.since.default", "default (in a variable)"),
    ("persistence.path", "path (in 'persistence')"), ("flows.shop.resource.path", "path (in a resource)"),
    ("dedupe", "not supported by this version"),
  ])
  func `keys are found by their path`(_ query: String, _ start: String) {
    #expect(FieldReference.explain(query)?.contains(start) == true)
  }

  @Test func `one page for a key that two constructs share`() throws {
    let text = try #require(FieldReference.explain("prune"))
    #expect(text.components(separatedBy: "Right:").count == 2)
  }

  @Test func `what does not exist is not explained, but its neighbour is named`() {
    #expect(FieldReference.explain("persistance") == nil)
    #expect(FieldReference.explain("flows.resource.tiemout") == nil)
    #expect(FieldReference.explain("") == nil)
    #expect(FieldReference.explain(".") == nil)
    #expect(FieldReference.suggestion(for: "persistance") == "persistence")
  }
}
