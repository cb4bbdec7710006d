import JSONSyntax
import TestSupport

/// The value of a JSON text written in a test.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

/// The compact text of values, one JSON array.
func text(_ values: [JSONValue]) -> String {
  String(decoding: JSONWriter.bytes(.array(values)), as: UTF8.self)
}

extension JSONValue {
  /// A random value whose names and strings hold what needs escaping.
  static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64.random(in: -3...3, using: &generator))
    case 3:
      return .number(
        JSONNumber(validated: ["1.0", "-0", "1e2", "100", "9007199254740993"].randomElement(using: &generator) ?? "0"))
    case 4: return .string(randomName(using: &generator))
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      return .object(
        JSONObject(
          (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            JSONObject.Member(name: randomName(using: &generator), value: random(depth: depth - 1, using: &generator))
          }))
    }
  }

  private static func randomName(using generator: inout SeededGenerator) -> String {
    let names = [
      "a", "b", "a b", "", "'", "\"", "\\", "/", "~", "~1", "\n", "\u{1}", "\u{1f}", "é", "e\u{301}", "𝄞", "0", "-1",
      "*", "]",
    ]
    return names.randomElement(using: &generator) ?? "a"
  }
}
