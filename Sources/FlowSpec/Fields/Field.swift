/// One key of the language: its name, its documentation and how its value is read.
///
/// Each key is declared once, as a constant that all readers share. It is a class, so that passing it costs nothing.
final class Field<Value>: FieldSpec {
  let name: String
  /// The allowed values, and the function that reads them.
  let shape: Shape<Value>
  let isRequired: Bool
  let defaultText: String?
  let summary: String
  let details: String
  let secrets: SecretUse
  let effect: EditEffect
  private let listedExamples: @Sendable () -> [String]
  private let listedMistakes: @Sendable () -> FieldMistakes

  var examples: [String] { listedExamples() }
  var mistakes: [FieldMistake] { listedMistakes().list }
  var kind: ValueKind { shape.kind }
  var isTemplated: Bool { shape.isTemplated }

  /// Declares a key. Examples and mistakes are closures: only documentation and tests need them, so a run does not
  /// create them.
  init(
    _ name: String, _ shape: Shape<Value>, default: FieldDefault = .nothing, _ summary: String,
    details: String = "",
    secrets: SecretUse = .allowed, edit effect: EditEffect,
    examples: @autoclosure @escaping @Sendable () -> [String],
    mistakes: @autoclosure @escaping @Sendable () -> FieldMistakes
  ) {
    self.name = name
    self.shape = shape
    self.isRequired = `default` == .required
    self.defaultText = if case .text(let text) = `default` { text } else { nil }
    self.summary = summary
    self.details = details
    self.secrets = secrets
    self.effect = effect
    listedExamples = examples
    listedMistakes = mistakes
  }
}

/// The default value of a key.
enum FieldDefault: Hashable, ExpressibleByStringInterpolation {
  /// There is no default: the key is required.
  case required
  /// There is no fixed default: other keys determine the value.
  case nothing
  /// This value, as a file would contain it, or described in words.
  case text(String)

  init(stringLiteral text: String) { self = .text(text) }
}

/// Wrong uses of a key and the codes that they cause. `↓` marks the position of the diagnostic.
struct FieldMistakes: ExpressibleByDictionaryLiteral {
  let list: [FieldMistake]

  init(_ list: [FieldMistake]) { self.list = list }

  init(dictionaryLiteral mistakes: (String, FlowCode)...) { list = mistakes.map { FieldMistake($0, $1) } }
}

/// One key of the language, for validation, `explain`, the reference page and the editor schema.
package protocol FieldSpec: AnyObject, Sendable {
  /// The name of the key.
  var name: String { get }
  /// The kind of the key's value.
  var kind: ValueKind { get }
  /// Whether the construct must contain the key.
  var isRequired: Bool { get }
  /// The default, as a file would contain it or in words; nil for required keys.
  var defaultText: String? { get }
  /// A description of the key in one line.
  var summary: String { get }
  /// Further rules, in whole sentences; may be empty.
  var details: String { get }
  /// Whether templates (`{{ … }}`) in the value are resolved.
  var isTemplated: Bool { get }
  /// How secrets in the value's templates are handled.
  var secrets: SecretUse { get }
  /// The effect of an edit of the key on the persisted result.
  var effect: EditEffect { get }
  /// Examples of correct uses, as written inside the construct.
  var examples: [String] { get }
  /// Examples of wrong uses, with the codes that they cause.
  var mistakes: [FieldMistake] { get }
}

/// The handling of secrets in the templates of a key's value.
package enum SecretUse: Sendable, Hashable {
  /// Secrets are resolved.
  case allowed
  /// Secrets are resolved, but a warning is reported, because servers and proxies write URLs to their logs.
  case warned
  /// Secrets are an error, because the text is shown or becomes a file name.
  case refused
}

/// A wrong use of a key, which is both documentation and test.
package struct FieldMistake: Sendable {
  /// The wrong text, as written inside the construct.
  package let text: String
  /// The position of the diagnostic, in UTF-8 bytes from the start of the text.
  package let offset: Int
  /// The code of the diagnostic.
  package let code: FlowCode

  /// Creates a wrong use from a text in which `↓` marks the position of the diagnostic.
  init(_ marked: String, _ code: FlowCode) {
    let parts = marked.split(separator: "↓", maxSplits: 1, omittingEmptySubsequences: false)
    self.text = parts.joined()
    self.offset = parts.first?.utf8.count ?? 0
    self.code = code
  }
}

/// The effect of an edit of a key on the persisted result of a flow.
package enum EditEffect: Sendable, Hashable {
  /// The next run does not use the persisted result and requests everything again.
  case asksAnew
  /// For a flow without `cursor`, the same as `asksAnew`.
  ///
  /// A flow with `cursor` continues from its persisted value.
  case asksAnewWithoutCursor
  /// The next run uses the persisted result.
  case keepsResult
  /// The next run looks for the result at another path.
  case movesResult
  /// The effect depends on which key inside the mapping is edited.
  case byItsKeys
  /// The key declares a name. An edit has the effect of an edit of the keys that use this name.
  case whereUsed

  /// The effect in words, for `reactor explain`.
  var words: String {
    switch self {
    case .asksAnew: "the next run does not use the persisted result and requests everything again"
    case .asksAnewWithoutCursor:
      "a flow without a cursor requests everything again; a flow with a cursor continues from its persisted value"
    case .keepsResult: "the persisted result stays in use"
    case .movesResult: "the flow looks for its result at the new path"
    case .byItsKeys: "depends on which of the keys inside this mapping is edited; each has its own entry"
    case .whereUsed: "the same as an edit of the keys that use the names declared here"
    }
  }
}
