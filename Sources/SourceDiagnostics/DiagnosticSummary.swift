/// The number of errors, warnings and files: `2 errors and 1 warning in 1 file`.
public struct DiagnosticSummary: Sendable, Hashable, CustomStringConvertible {
  /// The number of errors. A text with errors cannot be used.
  public let errors: Int
  /// The number of warnings. A text with warnings can be used.
  public let warnings: Int
  /// The number of files with problems.
  public let files: Int

  /// Counts the errors, warnings and files of diagnostics.
  public init(of diagnostics: some Sequence<Diagnostic>) {
    var errors = 0
    var warnings = 0
    var paths: Set<String> = []
    for diagnostic in diagnostics {
      switch diagnostic.severity {
      case .error: errors += 1
      case .warning: warnings += 1
      }
      if let path = diagnostic.range?.file.path { paths.insert(path) }
    }
    self.errors = errors
    self.warnings = warnings
    self.files = paths.count
  }

  /// The counts in words; `no problems` if there are none.
  public var description: String {
    var parts: [String] = []
    if errors > 0 { parts.append(Self.count(errors, "error")) }
    if warnings > 0 { parts.append(Self.count(warnings, "warning")) }
    guard !parts.isEmpty else { return "no problems" }
    let problems = parts.joined(separator: " and ")
    return files == 0 ? problems : "\(problems) in \(Self.count(files, "file"))"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
