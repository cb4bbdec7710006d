import Expressions
import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads a key whose value is an expression, with or without braces around it.
  ///
  /// - Parameter type: the type that the expression must have; `optional(dynamic)` accepts any type.
  mutating func expression(_ value: FieldValue, of type: ExpressionType) -> Located<Expression>? {
    guard let text = scalar(value) else { return nil }
    let bytes = Array(text.utf8)
    var range = bytes.indices
    func trim() {
      while let first = range.first, ASCII.isSpace(bytes[first]) { range.removeFirst() }
      while let last = range.last, ASCII.isSpace(bytes[last]) { range.removeLast() }
    }
    trim()
    // Remove braces around the whole expression.
    if bytes[range].starts(with: "{{".utf8),
      Expression.end(of: bytes, from: range.lowerBound + 2) == range.upperBound - 2
    {
      range = range.lowerBound + 2..<range.upperBound - 2
      trim()
    }
    let expression: Expression
    do throws(ExpressionError) {
      expression = try Expression(parsing: String(decoding: bytes[range], as: UTF8.self))
    } catch {
      report(TemplateScanner.TemplateError(error, from: range.lowerBound), in: value)
      return nil
    }
    guard let found = checkedType(of: expression, from: range.lowerBound, in: value) else { return nil }
    guard type == .optional(.dynamic) || found == .dynamic || found.unwrapped == type else {
      return fail(
        .expressionType, "'\(printable(expression.text))' is \(found), and '\(value.spec.name)' is \(type)",
        at: location(of: range, in: value.node), help: type == .bool ? "compare it, as in a == b" : nil)
    }
    guard type == .optional(.dynamic) || !found.mayBeMissing else {
      return fail(
        .expressionMissing, "'\(printable(expression.text))' may be missing", at: location(of: range, in: value.node),
        help: "give a default: coalesce(\(printable(expression.text)), …)")
    }
    return Located(expression, at: value.node.range)
  }
}
