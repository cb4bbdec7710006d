import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

@Suite struct LimitTests {
  private func parse(_ text: String, _ limits: YAMLLimits = YAMLLimits()) -> (YAMLNode?, [Diagnostic]) {
    var bag = DiagnosticBag()
    let root = YAMLDocument.parse(SourceFile(path: "limits.yaml", text: text), limits: limits, diagnostics: &bag)
    return (root, bag.diagnostics)
  }

  private func nest(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test func `64 levels are read and the 65th is an error where it starts`() throws {
    #expect(parse(nest(64)).0 != nil)
    let (root, diagnostics) = parse(nest(65))
    #expect(root == nil)
    #expect(diagnostics.map(\.code.rawValue) == ["yaml.too-deep"])
    #expect(diagnostics.first?.range?.start.column == 65)
  }

  @Test func `a megabyte of brackets is an error in bounded time`() {
    let text = String(repeating: "[", count: 1 << 20)
    var diagnostics: [Diagnostic] = []
    let time = ProcessorTime.measure { diagnostics = parse(text).1 }
    #expect(diagnostics.map(\.code.rawValue) == ["yaml.too-deep"])
    // libyaml alone would take minutes; the rest is the check of the bytes in an unoptimized build.
    #expect(time < ProcessorTime.bound)
  }

  @Test func `five megabytes are an error without being read`() {
    // Whoever read it would stumble over its first byte.
    let text = "\0" + String(repeating: "key: value\n", count: 480_000)
    let file = SourceFile(path: "large.yaml", text: text)
    var bag = DiagnosticBag()
    #expect(YAMLDocument.parse(file, diagnostics: &bag) == nil)
    #expect(bag.diagnostics.map(\.code.rawValue) == ["yaml.too-large"])
  }

  @Test func `nodes are counted with keys and collections`() {
    var limits = YAMLLimits()
    limits.nodes = 6
    #expect(parse("{a: 1, b: [2]}", limits).0 != nil)
    limits.nodes = 5
    #expect(parse("{a: 1, b: [2]}", limits).1.map(\.code.rawValue) == ["yaml.too-many-nodes"])
  }

  @Test func `aliases count with all their values`() {
    var limits = YAMLLimits()
    limits.aliasedNodes = 8
    let text = "a: &a [1, 2, 3]\nb: [*a, *a]\n"
    #expect(parse(text, limits).0 != nil)
    limits.aliasedNodes = 7
    #expect(parse(text, limits).1.map(\.code.rawValue) == ["yaml.alias-expansion"])
    limits = YAMLLimits()
    limits.aliases = 1
    #expect(parse(text, limits).1.map(\.code.rawValue) == ["yaml.too-many-aliases"])
    limits = YAMLLimits()
    limits.nodes = 16
    #expect(parse(text, limits).0 != nil)
    limits.nodes = 15
    #expect(parse(text, limits).1.map(\.code.rawValue) == ["yaml.too-many-nodes"])
  }

  @Test func `an alias deepens the tree by its value`() {
    var limits = YAMLLimits()
    limits.depth = 4
    #expect(parse("a: &a [[1]]\nb: [*a]\n", limits).0 != nil)
    #expect(parse("a: &a [[1]]\nb: [[*a]]\n", limits).1.map(\.code.rawValue) == ["yaml.too-deep"])
  }

  @Test func `at most a hundred problems are reported, and then that more exist`() {
    let (_, diagnostics) = parse(String(repeating: "a: 1\n", count: 500))
    #expect(diagnostics.count == 101)
    #expect(diagnostics.last?.code.rawValue == "yaml.too-many-problems")
    #expect(parse(String(repeating: "a: 1\n", count: 101)).1.count == 100)
  }

  @Test func `two megabytes of beyond-ASCII text are read in linear time`() {
    // 180,000 scalars with positions in one text without a single ASCII-only line.
    let text = (0..<60_000).map { "- ü\($0) 日本\n" }.joined()
    let short = (0..<6_000).map { "- ü\($0) 日本\n" }.joined()
    var root: YAMLNode?
    let long = ProcessorTime.measure { root = parse(text).0 }
    let brief = ProcessorTime.measure { _ = parse(short) }
    guard case .sequence(let items)? = root?.content else {
      Issue.record("not a list")
      return
    }
    #expect(items.count == 60_000)
    // Ten times the text; quadratic would be a hundred times the time.
    #expect(long < brief * 40)
  }
}
