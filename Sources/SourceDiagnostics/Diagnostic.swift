/// One problem in a text: what is wrong, where, and how to fix it.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The text cannot be used.
    case error
    /// The text can be used, but probably has a mistake.
    case warning
  }

  /// Another location or fact that explains the problem.
  public struct Note: Sendable, Hashable {
    /// Lower case, no full stop.
    public var message: String
    /// Where it points, if anywhere.
    public var range: SourceRange?

    /// Builds a note.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement that fixes the problem.
  public struct FixIt: Sendable, Hashable {
    /// What to do, as an instruction: `replace it with 'persistence'`.
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

  /// How bad it is.
  public var severity: Severity
  /// The stable name of this kind of problem, documented by `reactor explain`.
  public var code: DiagnosticCode
  /// What is wrong in the user's words: lower case, no full stop.
  public var message: String
  /// The location of the problem; nil only for a file that cannot be read.
  public var range: SourceRange?
  /// Other locations and facts.
  public var notes: [Note]
  /// How to fix it, in words.
  public var help: String?
  /// Fixes that can be applied mechanically.
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
