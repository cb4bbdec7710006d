import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// Reads one file's tree by the tables of the language and reports every error.
///
/// A reading that reports an error gives nil or leaves the value out, and continues with the next key.
struct FlowReader: Sendable {
  let file: SourceFile
  /// The first part of the ids of the file's flows.
  let stem: String
  var diagnostics = DiagnosticBag()
  /// Flows without a base URL.
  var flowsWithoutBase: [Located<String>] = []
  /// Errors in computed fields of schemas that several flows use, once for each flow.
  var computedErrors = DiagnosticBag()

  /// Paths read so far, by text: files repeat them.
  private var paths: [String: JSONPath] = [:]
  /// Durations read so far, in seconds, by text.
  private var durations: [String: Double] = [:]
  /// Comparisons with known words that may still be made for suggestions: a file with thousands of errors gets
  /// suggestions for the first ones and still ends at once.
  private var comparisons = 50_000

  init(_ file: SourceFile) {
    self.file = file
    stem = PathText.stem(of: file.path)
  }

  /// The known word that is nearest to a misspelt one.
  mutating func nearest(to word: String, in words: @autoclosure () -> [String]) -> String? {
    guard comparisons > 0 else { return nil }
    let words = words()
    comparisons -= words.count
    return NearMiss.suggestion(for: word, in: words)
  }

  /// A path, parsed once for the whole file.
  mutating func path(parsing text: String) throws(JSONPathError) -> JSONPath {
    if let path = paths[text] { return path }
    let path = try JSONPath(parsing: text)
    paths[text] = path
    return path
  }

  /// A duration, read once for the whole file.
  mutating func seconds(reading text: String) throws(ValueError) -> Double {
    if let seconds = durations[text] { return seconds }
    let seconds = try DurationText.seconds(in: text)
    durations[text] = seconds
    return seconds
  }

  /// Reports a problem; a suggestion becomes the help and a fix-it.
  mutating func report(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
  }

  /// Reports a problem that leaves no value.
  mutating func fail<Value>(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) -> Value? {
    report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
    return nil
  }

  /// Errors reported so far: a part is whole when reading it adds none.
  var errorCount: Int { diagnostics.diagnostics.count { $0.severity == .error } }
}

extension YAMLNode {
  /// What it is, in words.
  var kindWords: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }
}
