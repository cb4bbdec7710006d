import SourceDiagnostics
import TestSupport
import Testing
import YAMLSyntax

@Suite struct TreeTests {
  private func read(_ file: SourceFile) throws -> YAMLNode {
    var bag = DiagnosticBag()
    let root = YAMLDocument.parse(file, diagnostics: &bag)
    #expect(bag.diagnostics.isEmpty, "\(DiagnosticRenderer().render(bag.diagnostics))")
    return try #require(root)
  }

  private func read(_ text: String) throws -> YAMLNode { try read(SourceFile(path: "tree.yaml", text: text)) }

  private func scalar(_ node: YAMLNode?) throws -> YAMLScalar {
    guard case .scalar(let scalar)? = node?.content else { throw Missing() }
    return scalar
  }

  private func mapping(_ node: YAMLNode?) throws -> YAMLMapping {
    guard case .mapping(let mapping)? = node?.content else { throw Missing() }
    return mapping
  }

  private func items(_ node: YAMLNode?) throws -> [YAMLNode] {
    guard case .sequence(let items)? = node?.content else { throw Missing() }
    return items
  }

  private struct Missing: Error {}

  @Test(arguments: [
    ("1️⃣plain2️⃣ # comment", YAMLScalar.Style.plain, "plain"),
    ("&x 1️⃣plain2️⃣", .plain, "plain"),
    ("!!str  # why\n  1️⃣'it''s'2️⃣", .singleQuoted, "it's"),
    ("!!str &x 1️⃣\"\\u00e9 \\\"\"2️⃣\n", .doubleQuoted, "é \""),
    ("\"日本\": 1️⃣日本 語2️⃣", .plain, "日本 語"),
    ("日本: [é, 1️⃣ü2️⃣]", .plain, "ü"),
    ("1️⃣|\n  two\n  lines2️⃣\n\n", .literal, "two\nlines\n"),
    ("1️⃣>-\n  two\n  lines2️⃣\n# comment\n", .folded, "two lines"),
    ("1️⃣two\n  lines2️⃣\n", .plain, "two lines"),
    ("\u{FEFF}é: 1️⃣x2️⃣", .plain, "x"),
    ("é: x\r\nb: 1️⃣😀2️⃣\r\n", .plain, "😀"),
    ("é: x\rb: 1️⃣😀2️⃣\r", .plain, "😀"),
    ("a:\n  - b:1️⃣2️⃣\n", .plain, ""),
    ("a: !!str1️⃣2️⃣\n", .plain, ""),
    ("<<: {a: 1}\nb: 1️⃣<<2️⃣", .plain, "<<"),
  ])
  func `the last scalar has its text, style and exact range`(marked: String, style: YAMLScalar.Style, text: String)
    throws
  {
    let marked = MarkedText(marked)
    // As a value of its own or as the last value of the text.
    var node = try read(marked.file())
    while true {
      if case .mapping(let mapping) = node.content,
        let last = mapping.entries.last(where: { $0.name != "a" || mapping.entries.count == 1 })
      {
        node = last.value
      } else if case .sequence(let items) = node.content, let last = items.last {
        node = last
      } else {
        break
      }
    }
    let scalar = try scalar(node)
    #expect(scalar.text == text)
    #expect(scalar.style == style)
    #expect(node.range.offsets == marked.offsets(1, 2))
  }

  @Test(arguments: [
    "x: 1️⃣[a, {b: c}, [d]]2️⃣ # end", "x: &a 1️⃣{a: 1,\n  b: 2}2️⃣\n", "x:\n  1️⃣a: 1\n  b: [2]2️⃣\n\n# end\n",
    "x:\n  1️⃣- 1\n  - é\n  -2️⃣\n\n", "x:\n1️⃣- 1\n- 22️⃣\n", "x: !!map\n  # why\n  1️⃣a: |\n    text2️⃣\n\n", "x: 1️⃣[]2️⃣",
    "é: 1️⃣{}2️⃣",
    "x: [1️⃣a: b2️⃣]",
  ])
  func `a collection reaches from its first to its last byte`(marked: String) throws {
    let marked = MarkedText(marked)
    var node = try #require(try mapping(try read(marked.file())).entries.first).value
    if marked.text == "x: [a: b]" { node = try #require(try items(node).first) }
    #expect(node.range.offsets == marked.offsets(1, 2))
  }

  @Test func `entries keep their order and keys their range`() throws {
    let root = try mapping(try read("b: 1\n'a': 2\n\"c d\": 3\n"))
    #expect(root.entries.map(\.name) == ["b", "a", "c d"])
    #expect(root.entries.map { $0.key.range.offsets } == [0..<1, 5..<8, 12..<17])
    #expect(try scalar(root["c d"]).text == "3")
    #expect(root["x"] == nil)
  }

  @Test func `text is never guessed`() throws {
    for text in ["no", "012", "1e3", "1.10", "2024-01-01", "0x1F", "1_000", ".5", "yes"] {
      #expect(try scalar(read(text)).text == text)
    }
  }

  @Test(arguments: [
    ("~", true), ("null", true), ("", true), ("'null'", false), ("Null", false), ("!!str", false), ("!!str ~", false),
    ("!!null ''", true), ("0", false),
  ])
  func `null is what is unquoted and says so`(text: String, isNull: Bool) throws {
    #expect(try scalar(mapping(read("a: \(text)"))["a"]).isNull == isNull)
  }

  @Test func `core tags have their short form`() throws {
    let root = try mapping(read("a: !!str 1\nb: !<tag:yaml.org,2002:int> 2\nc: !!seq [x]\n? !!str d\n: e"))
    #expect(try scalar(root["a"]).tag == "!!str")
    #expect(try scalar(root["b"]).tag == "!!int")
    #expect(try items(root["c"]).count == 1)
    #expect(try scalar(root["d"]).tag == nil)
  }

  @Test func `an alias has the anchored value at its own location`() throws {
    let marked = MarkedText("a: &x [1, {b: c}]\né: 1️⃣*x2️⃣\n")
    let root = try mapping(try read(marked.file()))
    let alias = try #require(root["é"])
    #expect(alias.range.offsets == marked.offsets(1, 2))
    #expect(try scalar(mapping(items(alias).last)["b"]).text == "c")
  }

  @Test func `an alias as a key is its text`() throws {
    #expect(try mapping(read("a: &x k\n*x : 2")).entries.map(\.name) == ["a", "k"])
  }

  @Test func `merged keys follow the own keys, which win`() throws {
    let root = try mapping(
      read("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz:\n  <<: [*x, *y]\n  c: 5\n  d: 6\nw: {<<: *x}\nv: {'<<': 1}\n"))
    let merged = try mapping(root["z"])
    #expect(merged.entries.map(\.name) == ["c", "d", "a", "b"])
    let texts = try merged.entries.map { try scalar($0.value).text }
    #expect(texts == ["5", "6", "1", "2"])
    #expect(try mapping(root["w"]).entries.map(\.name) == ["a", "b"])
    #expect(try mapping(root["v"]).entries.map(\.name) == ["<<"])
  }

  @Test func `merged keys can be merged again`() throws {
    let root = try mapping(read("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}"))
    #expect(try mapping(root["c"]).entries.map(\.name) == ["z", "y", "x"])
  }

  @Test func `a merge that fails does not touch its neighbours`() throws {
    var bag = DiagnosticBag()
    let file = SourceFile(
      path: "m.yaml", text: "a: &a {x: 1}\nb: {<<: *none}\nc: {<<: *a}\nd: {<<: 3}\ne: {<<: *a, y: 2}")
    #expect(YAMLDocument.parse(file, diagnostics: &bag) == nil)
    #expect(bag.diagnostics.map(\.code.rawValue) == ["yaml.unknown-anchor", "yaml.merge-value"])
  }

  @Test func `large mappings find their entries and their repetitions`() throws {
    var text = (0..<5000).map { "key\($0): \($0)\n" }.joined()
    #expect(try mapping(read(text)).entries.count == 5000)
    text += "key13: again\n"
    var bag = DiagnosticBag()
    let root = YAMLDocument.parse(SourceFile(path: "large.yaml", text: text), diagnostics: &bag)
    #expect(bag.diagnostics.map(\.message) == ["the key 'key13' is already used in this mapping"])
    #expect(bag.diagnostics.first?.notes.first?.range?.start.line == 14)
    #expect(try scalar(mapping(root)["key13"]).text == "13")
  }

  @Test func `all mistakes of a file are reported at once, with their locations`() throws {
    let marked = MarkedText(
      """
      a: 1
      1️⃣a: 2
      b: 2️⃣!Ref x
      c: 3️⃣*nowhere
      d: {e: 1, 4️⃣e: 2}
      5️⃣? [f]
      : 1
      g: [6️⃣{{ h }}]
      i: 7️⃣: j
      """)
    var bag = DiagnosticBag()
    #expect(YAMLDocument.parse(marked.file(), diagnostics: &bag) == nil)
    let found = bag.diagnostics.sortedByPlace().map { "\($0.code.rawValue) \($0.range?.offsets.lowerBound ?? -1)" }
    #expect(
      found == [
        "yaml.duplicate-key \(marked[1])", "yaml.unknown-tag \(marked[2])", "yaml.unknown-anchor \(marked[3])",
        "yaml.duplicate-key \(marked[4])", "yaml.non-scalar-key \(marked[5] + 2)",
        "yaml.unquoted-template \(marked[6])",
        "yaml.unexpected-colon \(marked[7])",
      ])
  }

  @Test(arguments: [
    ("a: 1️⃣{{ x }}2️⃣ # c", "\"{{ x }}\""), ("a: 1️⃣{{ x }}/{{ y }}2️⃣", "\"{{ x }}/{{ y }}\""),
    ("q: { s: 1️⃣{{ x }}2️⃣, t: 1 }", "\"{{ x }}\""), ("- 1️⃣{{ f(\"x\") }}2️⃣", "'{{ f(\"x\") }}'"),
    ("a: 1️⃣{{ f(\"x\", 'y') }}2️⃣", "'{{ f(\"x\", ''y'') }}'"), ("a: [1️⃣{{ x }}.json2️⃣]", "\"{{ x }}.json\""),
  ])
  func `the fix of an unquoted template is the quoted value`(marked: String, quoted: String) throws {
    let marked = MarkedText(marked)
    var bag = DiagnosticBag()
    #expect(YAMLDocument.parse(marked.file(), diagnostics: &bag) == nil)
    #expect(bag.diagnostics.map(\.code.rawValue) == ["yaml.unquoted-template"])
    let fix = try #require(bag.diagnostics.first?.fixIts.first)
    #expect(fix.range.offsets == marked.offsets(1, 2))
    #expect(fix.replacement == quoted)
    let fixed = Fixed.text(of: marked.file(), by: fix)
    _ = try read(fixed)
  }

  @Test(arguments: DiagnosticCatalogue.yamlEntries)
  func `a text with its fixes applied has its problem no more`(entry: DiagnosticCatalogue.Entry) throws {
    let example = Example(entry)
    let file = SourceFile(path: "fix.yaml", bytes: example.bytes)
    var bag = DiagnosticBag()
    _ = YAMLDocument.parse(file, limits: example.limits, diagnostics: &bag)
    guard let fix = bag.diagnostics.first?.fixIts.first else { return }
    _ = try read(Fixed.text(of: file, by: fix))
  }
}
