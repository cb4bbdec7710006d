import JSONSyntax

/// The value of a JSON text written in a test.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

/// The compact text of values, one JSON array.
func text(_ values: [JSONValue]) -> String {
  String(decoding: JSONWriter.bytes(.array(values)), as: UTF8.self)
}

/// Numbers from a seed, so that a failing run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
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
