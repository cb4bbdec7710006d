import Expressions
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// Reads one file's tree by the tables of the language, reporting every mistake it meets.
///
/// A reading that reports an error gives nil or leaves the value out, and goes on with the next key.
struct FlowReader: Sendable {
  let file: SourceFile
  /// The first part of the ids of the file's flows.
  let stem: String
  var diagnostics = DiagnosticBag()
  /// Flows that no base URL was found for.
  var flowsWithoutBase: [Located<String>] = []
  /// What is wrong with computed fields of schemas that several flows use, in each of these.
  var computedErrors = DiagnosticBag()

  /// Paths read so far, by text: files repeat them.
  private var paths: [String: JSONPath] = [:]
  /// Durations read so far, in seconds, by text.
  private var durations: [String: Double] = [:]
  /// Comparisons with known words that may still be made to find what a misspelt one meant: a file with thousands of
  /// mistakes gets its first ones explained and still ends at once.
  private var comparisons = 50_000

  init(_ file: SourceFile) {
    self.file = file
    stem = PathText.stem(of: file.path)
  }

  /// The known word that was probably meant.
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

  /// Reports a problem, with `did you mean` as help and a replacement as fix-it where one was meant.
  mutating func report(
    _ code: FlowCode, _ message: String, at range: SourceRange?, meant: String? = nil, notes: [Diagnostic.Note] = [],
    help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.report(
      Diagnostic(code, message, at: range, meant: meant, notes: notes, help: help, fixIts: fixIts))
  }
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
