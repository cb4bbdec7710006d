import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

@Suite(.serialized) struct HazardTests {
  @Test func `the table has at least 140 hazards`() {
    #expect(Hazard.all.count >= 140)
    #expect(Hazard.all.count { $0.spliced != nil } >= 140)
    #expect(Set(Hazard.all.map(\.name)).count == Hazard.all.count)
  }

  @Test func `the flow that hazards are spliced into is good`() throws {
    var diagnostics = DiagnosticBag()
    let file = SourceFile(path: "good.yaml", text: Hazard.goodFlow)
    #expect(YAMLDocument.parse(file, diagnostics: &diagnostics) != nil)
    #expect(diagnostics.diagnostics.isEmpty)
  }

  @Test(arguments: Hazard.all)
  func `each hazard is an error with its code and a location`(hazard: Hazard) throws {
    let memory = PeakMemory.begin()
    // The planted fault: what is read is harmless.
    let (root, diagnostics, time) = parse(Plant.isSet("t2") ? Array(Hazard.goodFlow.utf8) : hazard.bytes)
    #expect(PeakMemory.kilobytes - memory < 200 << 10)
    let first = try #require(diagnostics.first)
    #expect(first.code.rawValue == hazard.code, "\(DiagnosticRenderer().render(diagnostics))")
    #expect(diagnostics.allSatisfy { $0.severity == .error && $0.range != nil })
    #expect(diagnostics.count <= 101)
    #expect(time < ProcessorTime.bound)
    if root != nil { #expect(Self.leavesTreeWhole.contains(first.code.rawValue)) }
  }

  @Test(arguments: Hazard.all.filter { $0.spliced != nil })
  func `each hazard is an error inside a good flow`(hazard: Hazard) throws {
    let (_, diagnostics, time) = parse(hazard.splicedBytes)
    let first = try #require(diagnostics.first)
    #expect(first.code.rawValue == hazard.spliced, "\(DiagnosticRenderer().render(diagnostics))")
    #expect(time < ProcessorTime.bound)
    // The good part is not blamed.
    let goodLines = Hazard.goodFlow.split(separator: "\n", omittingEmptySubsequences: false).count
    if first.code.rawValue != "yaml.too-large" { #expect((first.range?.start.line ?? 0) > goodLines - 1) }
  }

  @Test func `a hazard can be shown without an escape reaching the terminal`() {
    for hazard in Hazard.all {
      let text = DiagnosticRenderer().render(parse(hazard.bytes).diagnostics)
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }
  }

  /// Mistakes after which the rest of the file is still checked by later stages.
  private static let leavesTreeWhole: Set<String> = [
    "yaml.duplicate-key", "yaml.redefined-anchor", "yaml.unknown-tag", "yaml.tag-mismatch", "yaml.tag-directive",
    "yaml.foreign-space", "yaml.swallowed-line", "yaml.missing-space-after-colon",
    "yaml.bad-anchor",
  ]

  private func parse(_ bytes: [UInt8]) -> (root: YAMLNode?, diagnostics: [Diagnostic], time: Duration) {
    var bag = DiagnosticBag()
    var root: YAMLNode?
    let time = ProcessorTime.measure {
      root = YAMLDocument.parse(SourceFile(path: "hazard.yaml", bytes: bytes), diagnostics: &bag)
    }
    return (root, bag.diagnostics, time)
  }
}
