internal import SourceDiagnostics

/// The problems of one file, with a maximum number.
///
/// The maximum prevents a hostile file from filling the memory with messages.
struct ProblemList {
  /// The maximum number of problems that are reported for one file.
  static let maximum = 100

  private(set) var bag = DiagnosticBag()
  private(set) var isFull = false
  private var count = 0
  private let file: SourceFile

  init(file: SourceFile) { self.file = file }

  /// Adds an error. The error after the maximum is replaced by one that reports too many problems; later errors are
  /// dropped.
  mutating func report(
    _ problem: DiagnosticCatalogue.Entry, _ message: String, at offsets: Range<Int>,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    report(Diagnostic(problem.code, message, at: range(offsets), notes: notes, help: help, fixIts: fixIts))
  }

  mutating func report(_ diagnostic: Diagnostic) {
    guard !isFull else { return }
    count += 1
    isFull = count > Self.maximum
    bag.report(
      isFull
        ? Diagnostic(
          DiagnosticCatalogue.Entry.yamlTooManyProblems.code,
          "more than \(Self.maximum) problems; the rest of the file was not read", at: diagnostic.range,
          help: "fix the first ones; they often cause the others") : diagnostic)
  }

  /// Whether the same kind of problem was reported at the same location.
  func holds(_ diagnostic: Diagnostic) -> Bool {
    bag.diagnostics.contains { $0.code == diagnostic.code && $0.range == diagnostic.range }
  }

  /// Creates a note for a range of the file.
  func note(_ message: String, at offsets: Range<Int>) -> Diagnostic.Note {
    Diagnostic.Note(message, at: range(offsets))
  }

  /// Creates a fix-it that replaces a range of the file.
  func fix(_ message: String, replacing offsets: Range<Int>, with replacement: String) -> Diagnostic.FixIt {
    Diagnostic.FixIt(message, replacing: range(offsets), with: replacement)
  }

  func range(_ offsets: Range<Int>) -> SourceRange { SourceRange(file: file, offsets: offsets) }
}
