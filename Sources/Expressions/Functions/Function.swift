/// A function of the language: what the checker, the evaluation, the reference and the tests know about it.
struct Function: Sendable {
  typealias Body = @Sendable (Arguments, inout Evaluation) throws(EvaluationError) -> ExpressionValue

  /// Its name.
  var name: String
  /// The signatures, the most usual first.
  var signatures: [Signature]
  /// What it gives, as a sentence.
  var summary: String
  /// Expressions with the JSON of their results.
  var examples: [Example]
  /// What other languages call it, for suggestions.
  var otherNames: [String] = []
  /// Whether nothing found is a response where `coalesce` or `has` asks.
  var isLookUp = false
  /// An argument whose literal is checked and compiled once.
  var literal: Literal?
  /// What it does.
  var body: Body

  /// Whether a signature takes so many arguments.
  func takes(_ count: Int) -> Bool { signatures.contains { $0.takes(count) } }

  /// An expression and what it gives.
  struct Example: Sendable, Hashable {
    var text: String
    /// The result as JSON, or the kind of the error after `error: `.
    var result: String

    init(_ text: String, _ result: String) {
      self.text = text
      self.result = result
    }
  }

  /// An argument that is mostly written out.
  struct Literal: Sendable {
    enum Kind: Sendable {
      case expression, form, unit, duration
    }

    var argument: Int
    var kind: Kind
  }
}
