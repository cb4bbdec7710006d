internal import SourceDiagnostics

/// What a syntax error comes from, in the words of somebody who writes the file.
struct SyntaxMistake {
  var code: DiagnosticCode
  var message: String
  var offsets: Range<Int>
  var help: String?
  var note: (message: String, offsets: Range<Int>)?
  var fix: (message: String, offsets: Range<Int>, replacement: String)?

  init(
    _ code: DiagnosticCode, _ message: String, _ offsets: Range<Int>, help: String? = nil,
    note: (message: String, offsets: Range<Int>)? = nil,
    fix: (message: String, offsets: Range<Int>, replacement: String)? = nil
  ) {
    self.code = code
    self.message = message
    self.offsets = offsets
    self.help = help
    self.note = note
    self.fix = fix
  }
}
