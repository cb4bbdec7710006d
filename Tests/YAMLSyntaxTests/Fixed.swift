import SourceDiagnostics

enum Fixed {
  /// A file's text with a fix-it applied.
  static func text(of file: SourceFile, by fix: Diagnostic.FixIt) -> String {
    var bytes = file.bytes
    bytes.replaceSubrange(fix.range.offsets, with: Array(fix.replacement.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }
}
