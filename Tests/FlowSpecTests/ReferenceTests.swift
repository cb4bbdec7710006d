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
      #expect(FieldReference.explain(field.name) != nil)
    }
    #expect(FieldReference.explain(name.rawValue)?.contains(name.construct.summary) == true)
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
