import Expressions
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

/// Reads the YAML tree of one file by the tables of the language, and reports all errors.
///
/// After an error, a function returns nil or leaves the value out, and reading continues with the next key.
struct FlowReader: Sendable {
  let file: SourceFile
  /// The file's name without extensions, which is the first part of the ids of its flows.
  let stem: String
  /// The access to files of items.
  let reader: SourceReader
  /// Values of variables that are given outside the files.
  let overrides: VariableOverrides
  var diagnostics = DiagnosticBag()
  /// The flows without a base URL.
  var flowsWithoutBase: [Located<String>] = []
  /// The paths of the files whose items decide which flows there are, and which fields they have.
  var itemFiles: Set<String> = []
  /// Whether the keys of a flow's first run are read. Its request need not use the cursor.
  var isInFirstRun = false
  /// Errors in computed fields of schemas that several flows use. Each error occurs once for each of these flows.
  var computedErrors = DiagnosticBag()

  /// A cache of parsed paths by text, because files repeat paths.
  private var paths: [String: JSONPath] = [:]
  /// A cache of durations in seconds, by text.
  private var durations: [String: Double] = [:]
  /// The number of comparisons with known words that may still be made to find suggestions.
  ///
  /// In a file with thousands of errors, only the first errors get suggestions, so that reading still ends quickly.
  private var comparisons = 50_000

  init(_ file: SourceFile, reader: SourceReader = .nothing, overrides: VariableOverrides = VariableOverrides()) {
    self.file = file
    self.reader = reader
    self.overrides = overrides
    stem = PathText.stem(of: file.path)
  }

  /// A reader of a part of a file's flows. It has its share of the comparisons, and no reports yet.
  func part(_ count: Int, of all: Int) -> FlowReader {
    var part = self
    part.diagnostics = DiagnosticBag()
    part.comparisons = comparisons * count / max(all, 1)
    return part
  }

  /// Finds the known word that is nearest to a misspelt word.
  mutating func nearest(to word: String, in words: @autoclosure () -> [String]) -> String? {
    guard comparisons > 0 else { return nil }
    let words = words()
    comparisons -= words.count
    return NearMiss.suggestion(for: word, in: words)
  }

  /// Parses a path. Equal texts are parsed only once.
  mutating func path(parsing text: String) throws(JSONPathError) -> JSONPath {
    if let path = paths[text] { return path }
    let path = try JSONPath(parsing: text)
    paths[text] = path
    return path
  }

  /// Reads a duration. Equal texts are read only once.
  mutating func seconds(reading text: String) throws(ValueError) -> Double {
    if let seconds = durations[text] { return seconds }
    let seconds = try DurationText.seconds(in: text)
    durations[text] = seconds
    return seconds
  }

  /// Reports a problem. A suggestion becomes the help and a fix-it.
  mutating func report(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    diagnostics.report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
  }

  /// Reports a problem and returns nil.
  mutating func fail<Value>(
    _ code: FlowCode, _ message: String, at range: SourceRange?, suggestion: String? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) -> Value? {
    report(code, message, at: range, suggestion: suggestion, notes: notes, help: help, fixIts: fixIts)
    return nil
  }

  /// The number of errors reported so far. If it does not change while a part is read, the part has no errors.
  var errorCount: Int { diagnostics.diagnostics.count { $0.severity == .error } }
}

extension YAMLNode {
  /// The kind of the node in words, for messages.
  var kindWords: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }
}
