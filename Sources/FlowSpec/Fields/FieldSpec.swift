/// What validation, `explain`, the reference page and the editors' schema know of one key of the language.
public protocol FieldSpec: AnyObject, Sendable {
  /// The key as written.
  var name: String { get }
  /// What its value is.
  var kind: ValueKind { get }
  /// Whether the construct is incomplete without it.
  var isRequired: Bool { get }
  /// What holds when it is left out, as it would be written or in words; nil for required keys.
  var defaultText: String? { get }
  /// One line: what it says.
  var summary: String { get }
  /// Rules that the line leaves out; whole sentences, may be empty.
  var details: String { get }
  /// Whether `{{ … }}` is filled in.
  var isTemplated: Bool { get }
  /// What becomes of a secret in its templates.
  var secrets: SecretUse { get }
  /// What an edit of it means for the result that a flow has persisted.
  var effect: EditEffect { get }
  /// Right uses, as they stand inside the construct.
  var examples: [String] { get }
  /// Wrong uses with the code they give.
  var mistakes: [FieldMistake] { get }
}

/// What becomes of a secret in a key's template.
public enum SecretUse: Sendable, Hashable {
  /// It is filled in.
  case allowed
  /// It is filled in, with a warning: URLs end up in logs of servers and proxies.
  case warned
  /// It is an error: the text is shown or becomes a file name.
  case refused
}

/// A wrong use of a key: documentation and test in one.
public struct FieldMistake: Sendable {
  /// The text, as it stands inside the construct.
  public let text: String
  /// Where the diagnostic points, in UTF-8 bytes from the start of the text.
  public let offset: Int
  /// The diagnostic it gives.
  public let code: FlowCode

  /// Takes a text in which `↓` stands where the diagnostic points.
  init(_ marked: String, _ code: FlowCode) {
    let parts = marked.split(separator: "↓", maxSplits: 1, omittingEmptySubsequences: false)
    self.text = parts.joined()
    self.offset = parts.first?.utf8.count ?? 0
    self.code = code
  }
}
