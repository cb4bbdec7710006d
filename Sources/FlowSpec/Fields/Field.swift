/// One key of the language, declared once: its name, what is said of it, and how its value is read.
///
/// A constant that all readings share; a class, so that passing it on costs nothing.
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

/// What holds where a key is left out.
enum FieldDefault: Hashable, ExpressibleByStringInterpolation {
  /// The construct is incomplete.
  case required
  /// What other keys say.
  case nothing
  /// This value, as it would be written or in words.
  case text(String)

  init(stringLiteral text: String) { self = .text(text) }
}

/// Wrong uses of a key, written with the code that each gives; `↓` stands where the diagnostic points.
struct FieldMistakes: ExpressibleByDictionaryLiteral {
  let list: [FieldMistake]

  init(_ list: [FieldMistake]) { self.list = list }

  init(dictionaryLiteral mistakes: (String, FlowCode)...) { list = mistakes.map { FieldMistake($0, $1) } }
}
