import Foundation
import SourceDiagnostics
import Testing
import YAMLSyntax

@Suite struct CatalogueTests {
  @Test(arguments: DiagnosticCatalogue.yamlEntries.filter { $0.wrong != nil })
  func `the wrong example of an entry has exactly its problem`(entry: DiagnosticCatalogue.Entry) throws {
    let diagnostics = Example(entry).diagnostics
    #expect(diagnostics.map(\.code) == [entry.code], "\(DiagnosticRenderer().render(diagnostics))")
  }

  @Test(arguments: DiagnosticCatalogue.yamlEntries.filter { $0.right != nil })
  func `the right example of an entry has no problem`(entry: DiagnosticCatalogue.Entry) throws {
    var bag = DiagnosticBag()
    let file = SourceFile(path: "right.yaml", text: try #require(entry.right) + "\n")
    #expect(YAMLDocument.parse(file, diagnostics: &bag) != nil)
    #expect(bag.diagnostics.isEmpty, "\(DiagnosticRenderer().render(bag.diagnostics))")
  }

  @Test(arguments: DiagnosticCatalogue.yamlEntries)
  func `each code is shown as its golden file says`(entry: DiagnosticCatalogue.Entry) throws {
    let diagnostics = Example(entry).diagnostics
    let one = try #require(diagnostics.first { $0.code == entry.code })
    try Golden.check(DiagnosticRenderer().render(one), entry.code.rawValue)
  }

  @Test func `each code has a golden file and each golden file a code`() throws {
    let codes = Set(DiagnosticCatalogue.yamlEntries.map(\.code.rawValue))
    #expect(codes.count == DiagnosticCatalogue.yamlEntries.count)
    #expect(try Golden.names() == codes)
  }

  @Test func `each code that hazards meet is explained`() {
    let catalogue = DiagnosticCatalogue(DiagnosticCatalogue.yamlEntries)
    for hazard in Hazard.all { #expect(catalogue[hazard.code] != nil, "\(hazard.code)") }
  }

  @Test(arguments: DiagnosticCatalogue.yamlEntries)
  func `an entry's page can be printed`(entry: DiagnosticCatalogue.Entry) {
    let page = entry.page
    #expect(page.hasPrefix(entry.code.rawValue + ": "))
    #expect(page.hasSuffix("\n") && !page.hasSuffix("\n\n"))
    #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value < 0x7F })
    #expect(entry.explanation.hasSuffix("."))
    #expect(!entry.title.hasSuffix("."))
  }
}
