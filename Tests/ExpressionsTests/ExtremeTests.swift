import JSONSyntax
import Testing

@testable import Expressions

/// Every function and every operator with the extremes of its types: an error or a value, and never a trap.
@Suite struct ExtremeTests {
  private static func instant(_ seconds: Int64, _ nanosecond: Int = 0) -> ExpressionValue {
    .timestamp(ExpressionTimestamp(secondsSince1970: seconds, nanosecond: nanosecond) ?? .epoch)
  }

  private static func json(_ text: String) -> ExpressionValue {
    ExpressionValue((try? JSONValue(parsing: text)) ?? .null)
  }

  private static let values: [ExpressionValue] = [
    .null, .bool(true), .int(.min), .int(.max), .int(.min + 1), .int(-1), .int(0), .int(1),
    .double(0), .double(-0.0), .double(.greatestFiniteMagnitude), .double(-.greatestFiniteMagnitude),
    .double(.leastNonzeroMagnitude), .double(.infinity), .double(-.infinity), .double(.nan), .double(9.3e18),
    json("9007199254740993.5"), json("1e400"), json("-1e-400"), json("1e999999999"),
    .string(""), .string("a"), .string("é𝄞"), .string("-9223372036854775808"),
    .string("9999-12-31T23:59:59.999999999Z"),
    .string("0000-01-01T00:00:00Z"), .string("P9999999999Y"), .string("%Y"), .string("iso8601"), .string("[1,"),
    instant(-62_167_219_200), instant(253_402_300_799, 999_999_999), instant(0),
    .duration(.seconds(Int64.max)), .duration(.seconds(Int64.min)), .duration(.nanoseconds(1)), .duration(.zero),
    .list([]), .list([.int(.min), .int(.max)]), .list([.string("x"), .null]), .map([]),
    .map([ExpressionMember("a", .int(.max))]),
  ]

  private static let limits = EvaluationLimits(steps: 20_000, memory: 1 << 18, matching: 20_000)

  private static func tries(_ text: String, _ arguments: [ExpressionValue]) {
    guard let expression = try? Expression(parsing: text) else { return }
    var scope: [String: ExpressionValue] = [:]
    for (index, value) in arguments.enumerated() { scope["a\(index)"] = value }
    if let value = try? expression.evaluate(in: scope, now: Trial.now, limits: limits) { _ = value.json.kindName }
  }

  private static func names(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: ", ") }

  @Test(arguments: FunctionTable.functions.map(\.name))
  func `a function takes the extremes of all types`(_ name: String) throws {
    let function = try #require(FunctionTable.functions.first { $0.name == name })
    let counts = Set(function.signatures.flatMap { [$0.minimum, min($0.maximum, $0.minimum + 1)] })
    for count in counts {
      switch count {
      case 0: Self.tries("\(name)()", [])
      case 1: for value in Self.values { Self.tries("\(name)(a0)", [value]) }
      default:
        for first in Self.values {
          for second in Self.values {
            for third in count > 2 ? [.int(.min), .int(.max), .string("x"), second] : [ExpressionValue.null] {
              Self.tries(
                "\(name)(\(Self.names(count)))", [first, second, third] + [first, second].prefix(max(0, count - 3)))
            }
          }
        }
      }
    }
  }

  @Test(arguments: ["+", "-", "*", "/", "%", "<", "<=", "==", "!=", "in", "&&", "||"])
  func `an operator takes the extremes of all types`(_ sign: String) {
    for left in Self.values {
      for right in Self.values { Self.tries("a0 \(sign) a1", [left, right]) }
    }
  }

  @Test(arguments: ["-a0", "!a0", "a0[a1]", "a0.a", "a0 ? a1 : a0", "a0.map(x, x + a1)", "[a0, a1]", "{'a': a0}"])
  func `other forms take the extremes of all types`(_ text: String) {
    for first in Self.values {
      for second in Self.values { Self.tries(text, [first, second]) }
    }
  }
}
