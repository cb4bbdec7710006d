import FieldTypes
import FlowSpec
import Foundation
import Testing

@Suite struct FieldTypeTests {
  @Test func `the table of docs reference types is what the types say`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/reference/types.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(FieldTypeName.table)\n\n"))
  }

  @Test func `a field has a type of the language`() {
    #expect(ConstructName.field.construct["type"]?.kind == .type)
  }

  @Test(arguments: FieldTypeName.allCases) func `a type has its name and an example that is one`(_ name: FieldTypeName)
  {
    #expect(name.admits(name.documentation.example))
    #expect(TypeDeclaration(name)?.typeName == (name.isComplete ? name : nil))
    #expect(TypeDeclaration(name)?.canRead(TypeDeclaration.plain(name)) ?? true)
  }

  /// Texts of types whose text is persisted, and texts that are nearly so.
  private static let texts: [(FieldTypeName, right: String, wrong: String)] = [
    (.integer, "-42", "007"), (.number, "1.5e3", "1."), (.decimal, "1e400", "12,5"), (.boolean, "true", "True"),
    (.date, "2024-02-29", "2023-02-29"), (.duration, "P1Y2M", "1 hour"), (.duration, "90s", "1h30m"),
    (.uuid, "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"),
    (.url, "https://example.com/", "/relative"), (.bytes, "aGk=", "aGk"),
  ]

  @Test(arguments: texts)
  func `a default is judged as a response is`(_ type: FieldTypeName, _ right: String, _ wrong: String) {
    #expect(type.admits(right) && !type.admits(wrong))
    for (text, codes) in [(right, []), (wrong, ["schema.invalid-default"])] {
      let field = "{ type: \(type.rawValue), default: \"\(text)\" }"
      let loaded = Project(flowFile("resource: /\nschema: { fields: { f: \(field) } }")).load()
      #expect(loaded.codes == codes, "\(field)")
    }
  }
}
