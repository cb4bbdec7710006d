/// One key of the language: everything that validation, `explain`, the reference page and the editors' schema say of it.
///
/// A constant that all readings share; a class, so that passing it on costs nothing.
public final class FieldSpec: Sendable {
  /// The key as written.
  public let name: String
  /// What its value is.
  public let kind: ValueKind
  /// Whether the construct is incomplete without it.
  public let isRequired: Bool
  /// What holds when it is left out, as it would be written or in words; nil for required keys.
  public let defaultText: String?
  /// One line: what it says.
  public let summary: String
  /// Rules that the line leaves out; whole sentences, may be empty.
  public let details: String
  /// Whether `{{ … }}` is filled in.
  public let isTemplated: Bool
  /// What becomes of a secret in its templates.
  public let secrets: SecretUse
  /// The row of the coverage table with which it came.
  public let row: Int
  /// Right uses, as they stand inside the construct.
  public let examples: [String]
  /// Wrong uses with the code they give.
  public let mistakes: [Mistake]

  /// Describes a key.
  init(
    _ name: String, _ kind: ValueKind, required: Bool = false, default defaultText: String? = nil, _ summary: String,
    details: String = "", templated: Bool = false, secrets: SecretUse = .allowed, row: Int = 0, examples: [String],
    mistakes: [Mistake] = []
  ) {
    self.name = name
    self.kind = kind
    self.isRequired = required
    self.defaultText = required ? nil : defaultText
    self.summary = summary
    self.details = details
    self.isTemplated = templated
    self.secrets = secrets
    self.row = row
    self.examples = examples
    self.mistakes = mistakes
  }
}
