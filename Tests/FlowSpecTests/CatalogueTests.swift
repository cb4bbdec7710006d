import FlowSpec
import SourceDiagnostics
import Testing

@Suite struct CatalogueTests {
  @Test func `every code has one entry`() {
    let codes = DiagnosticCatalogue.flowEntries.map(\.code.rawValue)
    #expect(codes.count == Set(codes).count)
    #expect(Set(codes) == Set(FlowCode.allCases.map(\.rawValue)))
  }

  @Test(
    arguments: DiagnosticCatalogue.flowEntries.compactMap { entry in entry.wrong.map { (entry.code.rawValue, $0) } })
  func `wrong examples give their code`(_ code: String, _ text: String) throws {
    let project = Project.example(text)
    #expect(project.load().codes == [code], "\(project.report)")
    try Golden.check(project.report, "Tests/FlowSpecTests/Goldens/\(code).txt")
  }

  @Test(
    arguments: DiagnosticCatalogue.flowEntries.compactMap { entry in entry.right.map { (entry.code.rawValue, $0) } })
  func `right examples load without diagnostics`(_ code: String, _ text: String) {
    let project = Project.example(text)
    #expect(project.load().codes == [], "\(project.report)")
  }

  @Test(arguments: FlowCode.situations)
  func `codes that one file cannot show`(_ situation: Situation) throws {
    let diagnostics = situation.diagnostics()
    #expect(diagnostics.map(\.code) == [situation.code.code])
    try Golden.check(
      DiagnosticRenderer().render(diagnostics), "Tests/FlowSpecTests/Goldens/\(situation.code.rawValue).txt")
  }

  @Test func `every code has a golden rendering and nothing else has`() throws {
    #expect(try Golden.names() == Set(FlowCode.allCases.map(\.rawValue)))
  }
}

extension Project {
  /// An example of the catalogue: files without flows that hold schemas are schema files.
  static func example(_ text: String) -> Project {
    text.contains("\nschemas:") && !text.contains("flows:") ? Project(schemas: text) : Project(text)
  }
}
