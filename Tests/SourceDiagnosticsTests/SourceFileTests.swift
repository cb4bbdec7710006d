import SourceDiagnostics
import Testing

@Suite struct SourceFileTests {
  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 2, 1), (5, 2, 2), (7, 3, 1), (8, 4, 1), (99, 4, 2), (-5, 1, 1),
  ])
  func `an offset has line and column, in scalars, for every kind of line end`(offset: Int, line: Int, column: Int) {
    // a é LF b CR LF CR c: bytes 0, 1-2, 3, 4, 5-6, 7, 8
    let file = SourceFile(path: "f", text: "aé\nb\r\n\rc")
    #expect(file.position(at: offset).line == line)
    #expect(file.position(at: offset).column == column)
  }

  @Test func `lines come without their ends`() {
    let file = SourceFile(path: "f", text: "aé\nb\r\n\rc")
    #expect((1...5).map { String(decoding: file.line($0), as: UTF8.self) } == ["aé", "b", "", "c", ""])
    #expect(file.lineCount == 4)
    #expect(SourceFile(path: "f", text: "").lineCount == 1)
  }

  @Test func `a byte order mark is no part of the first line`() {
    let file = SourceFile(path: "f", text: "\u{FEFF}ab\nc")
    #expect(String(decoding: file.line(1), as: UTF8.self) == "ab")
    #expect(file.position(at: 3).column == 1)
    #expect(file.position(at: 4).column == 2)
    #expect(file.position(at: 0).column == 1)
  }
}
