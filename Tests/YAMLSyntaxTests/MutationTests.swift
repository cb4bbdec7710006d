import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

@Suite struct MutationTests {
  /// The kinds of change; bytes that mean something to YAML are favoured.
  private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let special = Array("{}[],:-?&*!|>'\"%@`#\n\t \\<=\r0x".utf8) + [0, 0x80, 0xC2, 0xE2, 0xFF, 0x85]
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    let byte =
      Bool.random(using: &generator)
      ? special.randomElement(using: &generator) ?? 0 : .random(in: 0...255, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[index] = byte
    case 1: bytes.insert(byte, at: index)
    case 2: bytes.remove(at: index)
    default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
  }

  @Test func `five thousand damaged flows are read, or have an error with an offset, each in bounded time`() throws {
    let good = Array(Hazard.goodFlow.utf8)
    var generator = SeededGenerator(20_260_101)
    var refused = 0
    var slowest = Duration.zero
    for number in 0..<5000 {
      var bytes = good
      Self.mutate(&bytes, &generator)
      let file = SourceFile(path: "mutant.yaml", bytes: bytes)
      var bag = DiagnosticBag()
      var root: YAMLNode?
      let time = ProcessorTime.measure { root = YAMLDocument.parse(file, diagnostics: &bag) }
      slowest = max(slowest, time)
      try #require(root != nil || bag.hasErrors, "mutation \(number) vanished")
      for diagnostic in bag.diagnostics {
        let range = try #require(diagnostic.range)
        try #require(range.offsets.upperBound <= bytes.count, "mutation \(number)")
      }
      if bag.hasErrors {
        refused += 1
        try #require(!DiagnosticRenderer().render(bag.diagnostics).isEmpty)
      } else if let root {
        try TreeChecks.checkRanges(of: root, in: file)
      }
    }
    // Most changes of a letter in a name are legal; about a third must be noticed.
    #expect(refused > 1000 && refused < 4500, "\(refused)")
    #expect(slowest < ProcessorTime.bound)
  }

  @Test func `every cut of a flow is read or has an error`() throws {
    let good = Array(Hazard.goodFlow.utf8)
    for length in 0..<good.count {
      var bag = DiagnosticBag()
      let root = YAMLDocument.parse(SourceFile(path: "cut.yaml", bytes: Array(good[..<length])), diagnostics: &bag)
      try #require(root != nil || bag.hasErrors)
    }
  }
}
