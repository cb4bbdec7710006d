internal import Expressions
internal import FlowSpec
internal import JSONSyntax
internal import SourceDiagnostics

extension RequestResolver {
  /// The values among what there is one request for each of that expressions give, by their place there; what is no list
  /// of different texts and integers is reported.
  mutating func parentLists(_ declaration: FlowDeclaration) -> [Int: [JSONValue]] {
    var lists: [Int: [JSONValue]] = [:]
    for (place, parent) in (declaration.each?.parents ?? []).enumerated() {
      guard case .expression(let expression, _) = parent.source else { continue }
      do throws(EvaluationError) {
        let value = try expression.value.evaluate(in: scope, now: scope.now)
        guard case .array(let elements) = value.json else {
          report("is no list", expression)
          continue
        }
        if let wrong = elements.first(where: { $0.string == nil && $0.int64 == nil }) {
          report("holds \(wrong.kindName), and takes texts and integers", expression)
        } else if let twice = Self.firstRepeated(elements) {
          report("holds \(String(decoding: JSONWriter.bytes(twice).prefix(80), as: UTF8.self)) twice", expression)
        } else {
          lists[place] = elements
        }
      } catch {
        report("has no value: \(error.message)", expression)
      }
    }
    return lists
  }

  private static func firstRepeated(_ values: [JSONValue]) -> JSONValue? {
    var seen: Set<JSONValue> = []
    return values.first { !seen.insert($0).inserted }
  }

  private mutating func report(_ what: String, _ expression: Located<Expression>) {
    diagnostics.report(
      Diagnostic(
        FlowCode.expressionValue.code, "'\(expression.value.text)' \(what)", at: expression.range,
        help: "'each.values' is a list of different texts or integers"))
  }
}
