internal import SourceDiagnostics

/// The problems of one file, bounded so that a hostile file cannot fill memory with messages.
struct ProblemList {
  /// The most problems reported for one file.
  static let most = 100

  private(set) var bag = DiagnosticBag()
  private(set) var isFull = false
  private var count = 0
  private let file: SourceFile

  init(file: SourceFile) { self.file = file }

  /// Adds an error (nothing here is only a warning); after the bound one last error says that there are more.
  mutating func report(
    _ code: DiagnosticCode, _ message: String, at offsets: Range<Int>,
    notes: [Diagnostic.Note] = [], help: String? = nil, fixIts: [Diagnostic.FixIt] = []
  ) {
    guard !isFull else { return }
    let range = SourceRange(file: file, offsets: offsets)
    guard count < Self.most else {
      isFull = true
      bag.report(
        Diagnostic(
          .error, .yamlTooManyProblems, "more than \(Self.most) problems; the rest of the file was not read", at: range,
          help: "mend the first ones; they often cause the others"))
      return
    }
    count += 1
    bag.report(Diagnostic(.error, code, message, at: range, notes: notes, help: help, fixIts: fixIts))
  }

  /// Whether a problem of this kind was reported at this place.
  func holds(_ code: DiagnosticCode, at offsets: Range<Int>) -> Bool {
    bag.diagnostics.contains { $0.code == code && $0.range?.offsets == offsets }
  }

  /// A note that points into the same file.
  func note(_ message: String, at offsets: Range<Int>) -> Diagnostic.Note {
    Diagnostic.Note(message, at: SourceRange(file: file, offsets: offsets))
  }

  /// A fix-it in the same file.
  func fix(_ message: String, replacing offsets: Range<Int>, with replacement: String) -> Diagnostic.FixIt {
    Diagnostic.FixIt(message, replacing: SourceRange(file: file, offsets: offsets), with: replacement)
  }
}
