import Foundation
import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

/// The public YAML test suite, as a ratchet: what agrees today must agree tomorrow.
@Suite struct ComplianceTests {
  /// Cases that agreed when this number was recorded, with libyaml 0.2.5.
  private static let recorded = 330

  @Test func `as many cases of the YAML test suite agree as were recorded`() throws {
    guard let folder = Corpus.folder("yaml-test-suite") else {
      print("skipped: yaml-test-suite is not beside the checkout")
      return
    }
    let cases = Self.inputs(below: folder)
    #expect(!cases.isEmpty)
    var agreeing = 0
    var agreeingJSON = 0
    var others: [String] = []
    for input in cases {
      if try Self.agrees(input) {
        agreeing += 1
        let json = input.deletingLastPathComponent().appendingPathComponent("in.json")
        if FileManager.default.fileExists(atPath: json.path) { agreeingJSON += 1 }
      } else {
        others.append(Self.name(of: input, in: folder))
      }
    }
    print("yaml-test-suite: \(agreeing) of \(cases.count) agree (\(agreeingJSON) with JSON)")
    print("yaml-test-suite: the others are \(others.joined(separator: " "))")
    #expect(agreeing >= Self.recorded)
  }

  @Test func `no case of the YAML test suite is read beyond its bytes by the strict reader`() throws {
    guard let folder = Corpus.folder("yaml-test-suite") else {
      print("skipped: yaml-test-suite is not beside the checkout")
      return
    }
    for input in Self.inputs(below: folder) {
      let file = SourceFile(path: input.path, bytes: Array(try Data(contentsOf: input)))
      var diagnostics = DiagnosticBag()
      let root = YAMLDocument.parse(file, diagnostics: &diagnostics)
      #expect(root != nil || diagnostics.hasErrors)
      if let root { try TreeChecks.checkRanges(of: root, in: file) }
      for diagnostic in diagnostics.diagnostics {
        let offsets = try #require(diagnostic.range).offsets
        #expect(offsets.upperBound <= file.bytes.count)
      }
      _ = DiagnosticRenderer().render(diagnostics.diagnostics)
    }
  }

  private static func inputs(below folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == "in.yaml" }
      .sorted { $0.path < $1.path }
  }

  private static func name(of input: URL, in folder: URL) -> String {
    String(input.deletingLastPathComponent().path.dropFirst(folder.path.count + 1))
  }

  /// Whether a case ends as its files say: with an error, with the given JSON, or at least without an error.
  private static func agrees(_ input: URL) throws -> Bool {
    let folder = input.deletingLastPathComponent()
    let bytes = Array(try Data(contentsOf: input))
    var diagnostics = DiagnosticBag()
    let roots = YAMLStream.documents(
      SourceFile(path: input.path, bytes: bytes), resolvesMerges: false, diagnostics: &diagnostics)
    if FileManager.default.fileExists(atPath: folder.appendingPathComponent("error").path) { return roots == nil }
    guard let roots else { return false }
    guard let expected = try? Data(contentsOf: folder.appendingPathComponent("in.json")) else { return true }
    return PlainJSON.documents(Array(expected)) == roots.map(PlainJSON.init)
  }
}
