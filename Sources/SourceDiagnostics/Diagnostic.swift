/// One problem in a text: its description, its location and its fix.
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a problem.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The text cannot be used.
    case error
    /// The text can be used, but it probably contains a mistake.
    case warning
  }

  /// An additional fact or location that explains the problem.
  public struct Note: Sendable, Hashable {
    /// The text of the note, in lower case, without a full stop.
    public var message: String
    /// The location that the note refers to, if any.
    public var range: SourceRange?

    /// Builds a note.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement that fixes the problem.
  public struct FixIt: Sendable, Hashable {
    /// The instruction to the user: `replace it with 'persistence'`.
    public var message: String
    /// The range to replace.
    public var range: SourceRange
    /// The new text.
    public var replacement: String

    /// Builds a fix-it.
    public init(_ message: String, replacing range: SourceRange, with replacement: String) {
      self.message = message
      self.range = range
      self.replacement = replacement
    }
  }

  /// The severity of the problem.
  public var severity: Severity
  /// The stable name of this kind of problem, documented by `reactor explain`.
  public var code: DiagnosticCode
  /// The description of the problem for the user: lower case, no full stop.
  public var message: String
  /// The location of the problem; nil only for a file that cannot be read.
  public var range: SourceRange?
  /// Additional facts and locations that explain the problem.
  public var notes: [Note]
  /// The instruction to fix the problem, in words.
  public var help: String?
  /// Replacements that a program can apply to fix the problem.
  public var fixIts: [FixIt]

  /// Builds a diagnostic.
  public init(
    _ severity: Severity, _ code: DiagnosticCode, _ message: String, at range: SourceRange?,
    notes: [Note] = [], help: String? = nil, fixIts: [FixIt] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.range = range
    self.notes = notes
    self.help = help
    self.fixIts = fixIts
  }

  /// Builds an error.
  public init(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange?, notes: [Note] = [], help: String? = nil,
    fixIts: [FixIt] = []
  ) {
    self.init(.error, code, message, at: range, notes: notes, help: help, fixIts: fixIts)
  }
}
