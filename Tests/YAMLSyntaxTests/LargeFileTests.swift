import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

/// Files far beyond what a flow file needs, and files that are just within the limit and as bad as can be.
@Suite(.serialized) struct LargeFileTests {
  struct Large: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let unit: String
    let megabytes: Int
    /// In front, once.
    var head = ""

    init(_ name: String, _ unit: String, _ megabytes: Int, head: String = "") {
      testDescription = "\(megabytes) MB of \(name)"
      self.unit = unit
      self.megabytes = megabytes
      self.head = head
    }

    var bytes: [UInt8] {
      let unit = Array(unit.utf8)
      var bytes = Array(head.utf8)
      bytes.reserveCapacity(bytes.count + megabytes << 20 + unit.count)
      while bytes.count < megabytes << 20 { bytes += unit }
      return bytes
    }
  }

  static let beyond: [Large] = [
    Large("keys", "key: value\n", 5), Large("brackets", "[", 10), Large("aliases", "- *a\n", 10, head: "- &a b\n"),
    Large("one scalar", "xxxxxxxxxxxxxxxx", 50), Large("comments", "# nothing\n", 10), Large("line ends", "\n", 5),
    Large("letters beyond ASCII", "日本 ", 10), Large("quotes", "\"", 10), Large("tabs", "\t", 5),
    Large("a good flow and blanks", " ", 20, head: Hazard.goodFlow), Large("zeros", "\0", 20),
  ]

  @Test(arguments: beyond) func `a file beyond the limit is an error without being read`(_ large: Large) throws {
    let bytes = large.bytes
    let memory = PeakMemory.begin()
    var bag = DiagnosticBag()
    let root = YAMLDocument.parse(SourceFile(path: "large.yaml", bytes: bytes), diagnostics: &bag)
    #expect(root == nil)
    // Nothing else is said, although nearly each of them is wrong from its first lines on: so none was read.
    let planted = Plant.isSet("t2") ? "yaml.anything" : "yaml.too-large"
    #expect(bag.diagnostics.map(\.code.rawValue) == [planted])
    #expect(bag.diagnostics.first?.range != nil)
    #expect(PeakMemory.kilobytes - memory < 200 << 10)
  }

  /// Just under 2 MiB: these are read, or refused for what they are.
  static let within: [Large] = [
    Large("brackets", "[", 1), Large("braces", "{", 1), Large("dashes", "- ", 1), Large("question marks", "? ", 1),
    Large("one scalar", "xxxxxxxxxxxxxxxx", 1), Large("one key", "k", 1), Large("comments", "# nothing\n", 1),
    Large("line ends", "\n", 1), Large("aliases", "- *a\n", 1, head: "- &a b\n"), Large("anchors", "- &a b\n", 1),
    Large("tags", "- !!str a\n", 1), Large("unknown tags", "- !x a\n", 1), Large("repeated keys", "a: 1\n", 1),
    Large("quotes", "\"", 1), Large("apostrophes", "'", 1), Large("percent signs", "%\n", 1),
    Large("documents", "---\n", 1), Large("document ends", "...\n", 1), Large("block scalars", "- |\n x\n", 1),
    Large("folded lines", "x\n ", 1, head: "a: >\n "), Large("flow pairs", "a: b, ", 1, head: "{"),
    Large("nested lists", "- - - a\n", 1), Large("escapes", "\\x41", 1, head: "\""), Large("colons", ": ", 1),
    Large("long keys", String(repeating: "k", count: 1_000) + ": v\n", 1), Large("indentation", "  ", 1, head: "a:\n"),
    Large("deeper and deeper", "", 0),
  ]

  @Test(arguments: within) func `a file within the limit is read or has an error in bounded time`(_ large: Large) throws
  {
    var bytes = large.bytes
    if large.megabytes == 0 {
      for depth in 0..<1_400 { bytes += Array((String(repeating: " ", count: depth) + "a:\n").utf8) }
    }
    let memory = PeakMemory.begin()
    for spliced in [false, true] {
      let text = spliced ? Array((Hazard.goodFlow + "hazard:\n  ").utf8) + bytes : bytes
      var bag = DiagnosticBag()
      var root: YAMLNode?
      let time = ProcessorTime.measure {
        root = YAMLDocument.parse(SourceFile(path: "large.yaml", bytes: text), diagnostics: &bag)
      }
      #expect(root != nil || bag.hasErrors)
      #expect(bag.diagnostics.allSatisfy { $0.range != nil } && bag.diagnostics.count <= 101)
      #expect(time < ProcessorTime.bound, "\(large.testDescription)\(spliced ? ", spliced" : ""): \(time)")
    }
    #expect(PeakMemory.kilobytes - memory < 200 << 10)
  }
}
