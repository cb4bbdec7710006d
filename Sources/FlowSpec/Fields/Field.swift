/// One key of the language, declared once: its name, its documentation and how its value is read.
///
/// A constant that all readings share; a class, so passing it costs nothing.
final class Field<Value>: FieldSpec {
  let name: String
  /// What the value may be, and how it is read.
  let shape: Shape<Value>
  let isRequired: Bool
  let defaultText: String?
  let summary: String
  let details: String
  let secrets: SecretUse
  let effect: EditEffect
  let examples: [String]
  let mistakes: [FieldMistake]

  var kind: ValueKind { shape.kind }
  var isTemplated: Bool { shape.isTemplated }

  /// Declares a key.
  init(
    _ name: String, _ shape: Shape<Value>, default: FieldDefault = .nothing, _ summary: String,
    details: String = "",
    secrets: SecretUse = .allowed, edit effect: EditEffect, examples: [String],
    mistakes: FieldMistakes
  ) {
    self.name = name
    self.shape = shape
    self.isRequired = `default` == .required
    self.defaultText = if case .text(let text) = `default` { text } else { nil }
    self.summary = summary
    self.details = details
    self.secrets = secrets
    self.effect = effect
    self.examples = examples
    self.mistakes = mistakes.list
  }
}

/// The default of a key.
enum FieldDefault: Hashable, ExpressibleByStringInterpolation {
  /// None: the key is required.
  case required
  /// Other keys decide.
  case nothing
  /// This value, as it would be written or in words.
  case text(String)

  init(stringLiteral text: String) { self = .text(text) }
}

/// Wrong uses of a key with their codes; `↓` marks the position of the diagnostic.
struct FieldMistakes: ExpressibleByDictionaryLiteral {
  let list: [FieldMistake]

  init(_ list: [FieldMistake]) { self.list = list }

  init(dictionaryLiteral mistakes: (String, FlowCode)...) { list = mistakes.map { FieldMistake($0, $1) } }
}

/// One key of the language, for validation, `explain`, the reference page and the editors' schema.
public protocol FieldSpec: AnyObject, Sendable {
  /// The key as written.
  var name: String { get }
  /// What its value is.
  var kind: ValueKind { get }
  /// Whether the construct is incomplete without it.
  var isRequired: Bool { get }
  /// The default, as written or in words; nil for required keys.
  var defaultText: String? { get }
  /// One line: what it declares.
  var summary: String { get }
  /// More rules; whole sentences, may be empty.
  var details: String { get }
  /// Whether `{{ … }}` is filled in.
  var isTemplated: Bool { get }
  /// How secrets in its templates are handled.
  var secrets: SecretUse { get }
  /// What an edit of it means for the persisted result.
  var effect: EditEffect { get }
  /// Correct uses, as written inside the construct.
  var examples: [String] { get }
  /// Wrong uses with the code they give.
  var mistakes: [FieldMistake] { get }
}

/// How a secret in a key's template is handled.
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
  /// The text, as written inside the construct.
  public let text: String
  /// Where the diagnostic points, in UTF-8 bytes from the start of the text.
  public let offset: Int
  /// The diagnostic it gives.
  public let code: FlowCode

  /// Takes a text in which `↓` marks the position of the diagnostic.
  init(_ marked: String, _ code: FlowCode) {
    let parts = marked.split(separator: "↓", maxSplits: 1, omittingEmptySubsequences: false)
    self.text = parts.joined()
    self.offset = parts.first?.utf8.count ?? 0
    self.code = code
  }
}

/// What an edit of a key means for the persisted result of a flow.
public enum EditEffect: Sendable, Hashable {
  /// The result belongs to the flow before the edit: the next run requests everything again.
  case asksAnew
  /// The same for a flow without `cursor`. A flow with one continues from its persisted value.
  case asksAnewWithoutCursor
  /// The result stays in use.
  case keepsResult
  /// The result of the flow is at another path.
  case movesResult
  /// The keys of the mapping decide.
  case byItsKeys
  /// The keys that use the name decide.
  case whereUsed

  /// In words, for `reactor explain`.
  var words: String {
    switch self {
    case .asksAnew: "the next run does not use the persisted result and asks for everything anew"
    case .asksAnewWithoutCursor: "the next run does not use the persisted result; with a cursor, it goes on from it"
    case .keepsResult: "the persisted result stays in use"
    case .movesResult: "the flow looks for its result at the new path"
    case .byItsKeys: "see its keys"
    case .whereUsed: "as an edit of the keys that use it"
    }
  }
}
