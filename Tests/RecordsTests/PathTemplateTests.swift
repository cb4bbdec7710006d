import Expressions
import Records
import Testing

@Suite struct PathTemplateTests {
  private static func template(_ parts: String...) throws -> PathTemplate {
    PathTemplate(
      try parts.map { part in
        part.hasPrefix("=") ? .value(try Expression(parsing: String(part.dropFirst()))) : .text(part)
      })
  }

  @Test func `a path fits if values without slashes give it`() throws {
    let template = try Self.template("files/", "=a.id", "-", "=a.name", ".pdf")
    for path in ["files/1-x.pdf", "files/1-2-x.pdf", "files/1--.pdf", "files/a.pdf-b.pdf"] {
      #expect(template.mayGive(path), "\(path)")
    }
    for path in [
      "files/-x.pdf", "files/1-.pdf", "files/1/2-x.pdf", "files/1-x.pdf.gz", "file/1-x.pdf", "", "files/1-x",
    ] {
      #expect(!template.mayGive(path), "\(path)")
    }
    #expect(try Self.template("a/b.json").mayGive("a/b.json"))
    #expect(try !Self.template("a/b.json").mayGive("a/b.jsonl"))
    // Not exponential.
    let values = try Self.template("=a", "=a", "=a", "=a", "=a", "=a", "=a", "=a", "/")
    #expect(!values.mayGive(String(repeating: "x", count: 1000)))
  }
}
