public import SourceDiagnostics

/// Reads one YAML document from a file.
///
/// ```swift
/// var diagnostics = DiagnosticBag()
/// let file = SourceFile(path: "flows/shop.yaml", text: "reactor: 1\n")
/// if let root = YAMLDocument.parse(file, diagnostics: &diagnostics), !diagnostics.hasErrors { … }
/// ```
public enum YAMLDocument {
  /// The document's root, or nil after reporting at least one error.
  ///
  /// All mistakes of the file are reported in one pass; only a syntax error or an exceeded limit ends the reading. The
  /// root is also returned after errors that leave the tree whole (a repeated key, of which the first is kept; a reused
  /// anchor; a foreign tag, which is dropped), so that later stages can report theirs in the same run: whoever uses the
  /// tree must look at `diagnostics.hasErrors` before acting on it.
  ///
  /// - Parameters:
  ///   - file: its bytes are taken as UTF-8; a byte order mark at the start is skipped.
  ///   - limits: bounds that end the reading with an error.
  ///   - diagnostics: where problems go.
  /// - Complexity: linear in the bytes of the file.
  public static func parse(
    _ file: SourceFile, limits: YAMLLimits = YAMLLimits(), diagnostics: inout DiagnosticBag
  ) -> YAMLNode? {
    let reading = YAMLReading(file, limits: limits, policy: .strict)
    diagnostics.merge(reading.problems)
    return reading.isWhole ? reading.documents.first : nil
  }
}
