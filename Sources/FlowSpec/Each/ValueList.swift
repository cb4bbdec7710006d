package import Expressions
package import FlowModel
package import JSONSyntax
import SourceDiagnostics

/// The lists that expressions return before a run.
package enum ValueList {
  /// Evaluates an expression to a list of different texts and integers.
  ///
  /// - Parameters:
  ///   - key: the key of the expression, for messages
  ///   - mayBeMissing: whether null means an empty list; an empty text among the values, which `split` returns for an
  ///     empty text, is then an error
  /// - Throws: an error if the value is not a list of different texts and integers, or if a variable has no value
  package static func values(
    of expression: Located<Expression>, key: String, in scope: ResolutionScope, mayBeMissing: Bool = false
  ) throws(ResolutionError) -> [JSONValue] {
    func error(_ what: String) -> ResolutionError {
      ResolutionError(
        .expression(
          "'\(expression.value.text)' \(what)",
          help: "'\(key)' is a list of different texts or integers"),
        at: expression.range)
    }
    let value = try scope.value(of: expression)
    if mayBeMissing, value == .null { return [] }
    guard case .array(let elements) = value.json else { throw error("is not a list") }
    if let wrong = elements.first(where: { $0.string == nil && $0.int64 == nil }) {
      throw error("contains \(wrong.kindName), but only texts and integers are allowed")
    }
    if mayBeMissing, elements.contains(.string("")) { throw error("contains an empty text") }
    var seen: Set<JSONValue> = []
    if let twice = elements.first(where: { !seen.insert($0).inserted }) {
      throw error("contains \(String(decoding: JSONWriter.bytes(twice).prefix(80), as: UTF8.self)) twice")
    }
    return elements
  }
}
