import SourceDiagnostics
import TestSupport
import Testing

@Suite struct DiagnosticRendererTests {
  /// The rendering of an error `m` with code `t.c` between two markers.
  private func rendered(_ marked: MarkedText, columns: Int = 160) -> [String] {
    let range = SourceRange(file: marked.file("f.yaml"), offsets: marked.offsets(1, 2))
    let diagnostic = Diagnostic(.error, DiagnosticCode(rawValue: "t.c"), "m", at: range)
    return DiagnosticRenderer(maximumColumns: columns).render(diagnostic).split(separator: "\n").map(String.init)
  }

  @Test func `a diagnostic shows location, message, code, line, caret and help`() {
    let marked = MarkedText("flows:\n  1️⃣persistance2️⃣: x\n")
    let diagnostic = Diagnostic(
      .error, DiagnosticCode(rawValue: "flow.unknown-key"), "unknown key 'persistance' in a flow",
      at: SourceRange(file: marked.file("flows/users.yaml"), offsets: marked.offsets(1, 2)),
      help: "did you mean 'persistence'?")
    #expect(
      DiagnosticRenderer().render(diagnostic) == """
        flows/users.yaml:2:3: error: unknown key 'persistance' in a flow [flow.unknown-key]
           2 |   persistance: x
             |   ^~~~~~~~~~~
             = help: did you mean 'persistence'?

        """)
  }

  @Test func `notes show their own location, or follow below`() {
    let file = SourceFile(path: "f.yaml", text: "a: 1\na: 2\n")
    let diagnostic = Diagnostic(
      .warning, DiagnosticCode(rawValue: "t.c"), "m", at: SourceRange(file: file, offsets: 5..<6),
      notes: [Diagnostic.Note("a fact"), Diagnostic.Note("first here", at: SourceRange(file: file, offsets: 0..<1))])
    #expect(
      DiagnosticRenderer().render(diagnostic) == """
        f.yaml:2:1: warning: m [t.c]
           2 | a: 2
             | ^
        f.yaml:1:1: note: first here
           1 | a: 1
             | ^
             = note: a fact

        """)
  }

  @Test func `a fix-it without help becomes the help`() {
    let range = SourceRange(file: SourceFile(path: "f.yaml", text: "a"), offsets: 0..<1)
    let fix = Diagnostic.FixIt("replace it with 'b'", replacing: range, with: "b")
    let text = DiagnosticRenderer().render(
      Diagnostic(.error, DiagnosticCode(rawValue: "t.c"), "m", at: range, fixIts: [fix]))
    #expect(text.hasSuffix("     = help: replace it with 'b'\n"))
  }

  @Test(arguments: [
    ("日本: 1️⃣x2️⃣", "日本: x", "      ^"),
    ("1️⃣日本2️⃣: x", "日本: x", "^~~~"),
    ("\t1️⃣x2️⃣", "    x", "    ^"),
    ("ab\t1️⃣x2️⃣", "ab  x", "    ^"),
    ("e\u{301}a: 1️⃣x2️⃣", "e\u{301}a: x", "    ^"),
    ("😀👩‍👩‍👧: 1️⃣x2️⃣", "😀👩‍👩‍👧: x", "      ^"),
    ("🇮🇹🇯🇵1️⃣x2️⃣", "🇮🇹🇯🇵x", "    ^"),
    ("❤️1️⃣x2️⃣", "❤️x", "  ^"),
    ("👍🏽1️⃣x2️⃣", "👍🏽x", "  ^"),
    ("ｆｕ1️⃣x2️⃣", "ｆｕx", "    ^"),
    ("가1️⃣x2️⃣", "가x", "  ^"),
    ("\u{1B}[31m1️⃣x2️⃣", "<U+001B>[31mx", "            ^"),
    ("a\u{A0}1️⃣x2️⃣", "a<U+00A0>x", "         ^"),
    ("\u{202E}1️⃣x2️⃣", "<U+202E>x", "        ^"),
    ("a1️⃣\u{200B}2️⃣", "a<U+200B>", " ^~~~~~~~"),
    ("a1️⃣2️⃣", "a", " ^"),
    ("1️⃣2️⃣a", "a", "^"),
  ])
  func `the caret is under its character with any text before it`(marked: String, line: String, caret: String) {
    let lines = rendered(MarkedText(marked))
    #expect(lines.dropFirst() == ["   1 | \(line)", "     | \(caret)"])
  }

  @Test func `bytes that are not UTF-8 are shown as bytes`() {
    let file = SourceFile(path: "f.yaml", bytes: [0x61, 0xFF, 0xC3, 0x28])
    let range = SourceRange(file: file, offsets: 3..<4)
    let text = DiagnosticRenderer().render(Diagnostic(.error, DiagnosticCode(rawValue: "t.c"), "m", at: range))
    #expect(text.contains("   1 | a<FF><C3>(\n     |          ^\n"))
  }

  @Test func `an empty file and the end of a file have a caret`() {
    #expect(rendered("1️⃣2️⃣") == ["f.yaml:1:1: error: m [t.c]", "   1 |", "     | ^"])
    #expect(rendered("a: 1\n1️⃣2️⃣") == ["f.yaml:2:1: error: m [t.c]", "   2 |", "     | ^"])
    #expect(rendered("a: 1️⃣2️⃣\r\nb") == ["f.yaml:1:4: error: m [t.c]", "   1 | a: ", "     |    ^"])
  }

  @Test func `a byte order mark counts for no column`() {
    #expect(rendered("\u{FEFF}a: 1️⃣b2️⃣") == ["f.yaml:1:4: error: m [t.c]", "   1 | a: b", "     |    ^"])
  }

  @Test func `a range over several lines shows the first and the last`() {
    #expect(
      rendered("a: 1️⃣{\n  b: 1,\n}2️⃣\n") == [
        "f.yaml:1:4: error: m [t.c]", "   1 | a: {", "     |    ^", " ... |", "   3 | }", "     | ~",
      ])
    #expect(
      rendered("1️⃣a: {\n  b}\n2️⃣c") == [
        "f.yaml:1:1: error: m [t.c]", "   1 | a: {", "     | ^~~~", "   2 |   b}", "     |   ~~",
      ])
  }

  @Test func `a long line is cut around the caret`() {
    let before = String(repeating: "b", count: 5000)
    let after = String(repeating: "a", count: 5000)
    for marked in ["\(before)1️⃣XY2️⃣\(after)", "1️⃣XY2️⃣\(after)", "\(before)1️⃣XY2️⃣", "日\(before)1️⃣XY2️⃣日\(after)"] {
      let lines = rendered(MarkedText(marked))
      let source = lines[1].dropFirst(7)
      #expect(source.count <= 160)
      let caret = lines[2].dropFirst(7)
      #expect(caret.hasSuffix("^~"))
      let column = caret.count - 2
      #expect(source.dropFirst(column).prefix(2) == "XY")
    }
  }

  @Test func `a mark longer than the line is cut with it`() {
    let lines = rendered(MarkedText("1️⃣" + String(repeating: "x", count: 9000) + "2️⃣"), columns: 40)
    #expect(lines[1].dropFirst(7).count <= 40)
    #expect(lines[2].dropFirst(7).count <= 40)
  }

  @Test func `a heap of combining marks and a line of a megabyte stay bounded`() {
    let heap = rendered(MarkedText("a" + String(repeating: "\u{301}", count: 300) + "1️⃣x2️⃣"))
    #expect(heap[1].unicodeScalars.count < 200)
    let long = rendered(MarkedText(String(repeating: "y", count: 1 << 20) + "1️⃣x2️⃣"))
    #expect(long[1].count < 200)
  }

  @Test func `messages and paths are shown escaped and cut`() {
    let file = SourceFile(path: "a\u{1B}b.yaml", text: "x")
    let text = DiagnosticRenderer().render(
      Diagnostic(
        .error, DiagnosticCode(rawValue: "t.c"), "key '\u{1B}[2J\n'" + String(repeating: "z", count: 1000),
        at: SourceRange(file: file, offsets: 0..<1)))
    #expect(text.hasPrefix("a<U+001B>b.yaml:1:1: error: key '<U+001B>[2J\\n'zzz"))
    #expect((text.split(separator: "\n").first?.count ?? 0) < 600)
  }

  @Test func `colours surround the parts and change no text`() {
    let marked = MarkedText("a: 1️⃣x2️⃣\n")
    let range = SourceRange(file: marked.file(), offsets: marked.offsets(1, 2))
    let diagnostic = Diagnostic(.error, DiagnosticCode(rawValue: "t.c"), "m", at: range, help: "h")
    let colored = DiagnosticRenderer(isColored: true).render(diagnostic)
    #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == DiagnosticRenderer().render(diagnostic))
  }

  @Test func `all problems are sorted by file and position, with a summary`() {
    let one = SourceFile(path: "a.yaml", text: "x: 1\ny: 2\n")
    let two = SourceFile(path: "b.yaml", text: "z\n")
    let code = DiagnosticCode(rawValue: "t.c")
    let diagnostics = [
      Diagnostic(.warning, code, "third", at: SourceRange(file: two, offsets: 0..<1)),
      Diagnostic(.error, code, "second", at: SourceRange(file: one, offsets: 5..<6)),
      Diagnostic(.error, code, "first", at: SourceRange(file: one, offsets: 0..<1)),
      Diagnostic(.error, code, "cannot read c.yaml", at: nil),
    ]
    let text = DiagnosticRenderer().render(diagnostics)
    #expect(diagnostics.sortedByPlace().map(\.message) == ["cannot read c.yaml", "first", "second", "third"])
    #expect(text.hasPrefix("error: cannot read c.yaml [t.c]\na.yaml:1:1: error: first"))
    #expect(text.hasSuffix("3 errors and 1 warning in 2 files\n"))
    #expect(DiagnosticRenderer().render([Diagnostic]()).isEmpty)
  }

  @Test func `a summary is in words`() {
    let range = SourceRange(file: SourceFile(path: "a", text: ""), offsets: 0..<0)
    let error = Diagnostic(.error, DiagnosticCode(rawValue: "t.c"), "m", at: range)
    let warning = Diagnostic(.warning, DiagnosticCode(rawValue: "t.c"), "m", at: range)
    #expect(DiagnosticSummary(of: [error, error, warning]).description == "2 errors and 1 warning in 1 file")
    #expect(DiagnosticSummary(of: [error]).description == "1 error in 1 file")
    #expect(DiagnosticSummary(of: [warning, warning]).description == "2 warnings in 1 file")
    #expect(DiagnosticSummary(of: []).description == "no problems")
  }
}
