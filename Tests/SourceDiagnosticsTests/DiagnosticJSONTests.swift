import Foundation
import SourceDiagnostics
import Testing

@Suite struct DiagnosticJSONTests {
  static func line(_ diagnostic: Diagnostic) -> String {
    String(decoding: PlainJSON.bytes(diagnostic.json), as: UTF8.self)
  }

  @Test func `a diagnostic is one line of JSON with its keys in order`() {
    let file = SourceFile(path: "f.yaml", text: "é: x\n")
    let range = SourceRange(file: file, offsets: 4..<5)
    let diagnostic = Diagnostic(
      .error, DiagnosticCode(rawValue: "t.c"), "say \"é\"\n", at: range, notes: [Diagnostic.Note("n")], help: "h",
      fixIts: [Diagnostic.FixIt("f", replacing: range, with: "y")])
    let index = #""file":"f.yaml","line":1,"column":4,"end_line":1,"end_column":5,"offset":4,"end_offset":5"#
    #expect(
      Self.line(diagnostic) == #"{"severity":"error","code":"t.c","message":"say \"é\"\n","# + index
        + #","help":"h","notes":[{"message":"n"}],"fixes":[{"message":"f","# + index + #","replacement":"y"}]}"#)
  }

  @Test func `every scalar survives`() throws {
    let text = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init))) + "😀\u{10FFFF}"
    let json = Self.line(Diagnostic(.warning, DiagnosticCode(rawValue: "t.c"), text, at: nil))
    let lines = json.split(omittingEmptySubsequences: false) { $0.isNewline }
    #expect(lines.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect((object?["message"] as? String).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    #expect(object?["file"] == nil)
    #expect((object?["notes"] as? [Any])?.isEmpty == true)
  }
}
