import Expressions
import JSONSyntax
import Testing

@testable import Expressions

@Suite struct ExampleTests {
  static let now = ExpressionTimestamp(iso8601: "2026-01-15T10:30:00Z") ?? .epoch

  static let examples = FunctionTable.functions.flatMap(\.examples)

  /// The result as JSON, or the error's kind.
  static func outcome(_ text: String) throws -> String {
    let expression = try Expression(parsing: text)
    do {
      let value = try expression.evaluate(in: [String: ExpressionValue](), now: now)
      return String(decoding: JSONWriter.bytes(value.json), as: UTF8.self)
    } catch {
      return "error: \(error.kind.rawValue)"
    }
  }

  @Test(arguments: examples) func `every example of the reference gives what it says`(
    example: Function.Example
  ) throws {
    #expect(try Self.outcome(example.text) == example.result)
  }
}
