import FlowModel
import Foundation
import JSONSyntax
import SourceDiagnostics
import Testing
import YAMLSyntax

@testable import FlowSpec

/// Follows the worked example "adding a key" of CONTRIBUTING.md.
@Suite struct AddingAKeyTests {
  private static let newest = Field(
    "newest", .duration(1...86_400), default: "any age", "The greatest age of the newest record.",
    edit: .keepsResult, examples: ["newest: 1h"],
    mistakes: ["newest: ↓soon": .invalidDuration, "newest: ↓2d": .outOfRange])

  private static let usual = ExpectKeys.construct
  private static let expect = Construct(
    .expect, noun: usual.noun, usual.summary, fields: usual.fields + [newest], frame: usual.frame)

  /// What the keys of an `expect` give.
  private func read(_ keys: String) throws -> (value: Double?, diagnostics: [Diagnostic]) {
    let file = SourceFile(path: "shop.yaml", bytes: Array(keys.utf8))
    var diagnostics = DiagnosticBag()
    let root = try #require(YAMLDocument.parse(file, limits: YAMLLimits(), diagnostics: &diagnostics))
    var reader = FlowReader(file)
    let opened = reader.open(root, as: Self.expect, owner: root.range, scope: .nothing)
    let nodes = try #require(opened)
    return (reader.read(Self.newest, of: nodes)?.value, reader.diagnostics.diagnostics)
  }

  @Test func `the field reads its value`() throws {
    let read = try read("min: 1\nnewest: 1h")
    #expect(read.value == 3600 && read.diagnostics.isEmpty)
  }

  @Test(arguments: newest.mistakes.indices)
  func `the field finds its mistakes`(_ location: Int) throws {
    let mistake = Self.newest.mistakes[location]
    let found = try read(mistake.text).diagnostics
    #expect(found.map(\.code) == [mistake.code.code])
    #expect(found.first?.range?.offsets.lowerBound == mistake.offset)
  }

  @Test func `a misspelt key is an error with a suggestion`() throws {
    let found = try read("newst: 1h").diagnostics
    #expect(found.map(\.code.rawValue) == ["flow.unknown-key"])
    #expect(found.first?.help == "did you mean 'newest'?")
  }

  @Test func `reference, explain and the editors' schema tell of it`() {
    #expect(ReferencePage.section(Self.expect).contains("## `newest`\n\nThe greatest age of the newest record."))
    let page = FieldReference.page(of: Self.newest, in: Self.expect)
    #expect(page.contains("newest (in 'expect')") && page.contains("  default    any age\n"))
    #expect(page.contains("  edited     the persisted result stays in use\n"))
    #expect(
      String(decoding: JSONWriter.bytes(EditorSchema.schema(of: Self.expect)), as: UTF8.self).contains(
        "\"newest\":{"))
  }

  @Test func `CONTRIBUTING shows the declaration that is used here`() throws {
    let here = URL(fileURLWithPath: #filePath)
    let source = try String(contentsOf: here, encoding: .utf8)
    let start = try #require(source.range(of: "static let newest"))
    let end = try #require(source.range(of: "])\n", range: start.lowerBound..<source.endIndex))
    let lines = source[start.lowerBound..<end.upperBound].split(separator: "\n")
    // It stands in a list there.
    let declaration = lines.map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n   ")
    let guide = here.deletingLastPathComponent().appending(path: "../../CONTRIBUTING.md")
    #expect(try String(contentsOf: guide, encoding: .utf8).contains(declaration))
  }
}
