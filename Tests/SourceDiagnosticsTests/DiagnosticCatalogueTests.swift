import SourceDiagnostics
import Testing

@Suite struct DiagnosticCatalogueTests {
  private func entry(_ code: String, _ title: String = "t") -> DiagnosticCatalogue.Entry {
    DiagnosticCatalogue.Entry(
      DiagnosticCode(rawValue: code), title, "Because of this.", wrong: "a:\n\u{1B}\n", right: "a: 1")
  }

  @Test func `tables of several areas are joined, and the first of two entries is used`() {
    let catalogue = DiagnosticCatalogue([entry("b.x", "first"), entry("a.y"), entry("b.x", "second")])
    #expect(catalogue.entries.map(\.code.rawValue) == ["a.y", "b.x"])
    #expect(catalogue["b.x"]?.title == "first")
    #expect(catalogue["b.z"] == nil)
  }

  @Test(arguments: [("yaml.duplicat-key", "yaml.duplicate-key"), ("duplicate-key", "yaml.duplicate-key")])
  func `a misspelt code finds its suggestion`(word: String, code: String) {
    let catalogue = DiagnosticCatalogue([entry("flow.unknown-key"), entry("yaml.duplicate-key")])
    #expect(catalogue.suggestion(for: word) == code)
    #expect(catalogue.suggestion(for: "zzz") == nil)
  }

  @Test func `a page shows the examples, and what they hide`() {
    #expect(
      entry("a.y").page == """
        a.y: t

        Because of this.

        Wrong:

            a:
            <U+001B>

        Right:

            a: 1

        """)
  }
}
