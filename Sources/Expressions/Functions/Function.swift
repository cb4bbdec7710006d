/// A function of the language.
///
/// Its data is used by the checker, the evaluation, the reference and the tests.
struct Function: Sendable {
  typealias Body = @Sendable (Arguments, inout Evaluation) throws(EvaluationError) -> ExpressionValue

  /// The function's name.
  var name: String
  /// The signatures, the most common first.
  var signatures: [Signature]
  /// A sentence about the result.
  var summary: String
  /// Expressions with their results in JSON.
  var examples: [Example]
  /// Names of the function in other languages, for suggestions.
  var otherNames: [String] = []
  /// Whether the function may return a missing value, which `coalesce` and `has` accept as an argument.
  var isLookUp = false
  /// The argument that, if it is a literal, is checked and compiled once before the evaluation.
  var literal: Literal?
  /// The implementation.
  var body: Body

  /// Whether a signature accepts this number of arguments.
  func takes(_ count: Int) -> Bool { signatures.contains { $0.takes(count) } }

  /// An expression and its result.
  struct Example: Sendable, Hashable {
    var text: String
    /// The result as JSON, or the kind of the error after `error: `.
    var result: String

    init(_ text: String, _ result: String) {
      self.text = text
      self.result = result
    }
  }

  /// An argument that is usually a literal.
  struct Literal: Sendable {
    enum Kind: Sendable {
      case expression, form, unit, duration
      /// The encoding of a digest; the argument after it is the encoding of a key.
      case encoding
    }

    var argument: Int
    var kind: Kind
  }
}
