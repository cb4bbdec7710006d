import JSONSyntax
import Testing

@Suite struct JSONValueEquivalenceTests {
  @Test(arguments: [
    ("null", "null"), ("[1,2.0]", "[1.0,2]"), (#"{"a":1,"b":[{"c":2,"d":3}]}"#, #"{"b":[{"d":3,"c":2}],"a":1e0}"#),
    ("{}", "{}"),
    (#""\u00e9""#, #""é""#),
  ])
  func `values that say the same are equivalent`(_ left: String, _ right: String) throws {
    #expect(try json(left).isEquivalent(to: json(right)))
  }

  @Test(arguments: [
    ("null", "false"), ("0", "false"), ("1", "\"1\""), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
    (#"{"a":1}"#, #"{"a":1,"b":1}"#), ("{}", "[]"),
    (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#), (#""\u00e9""#, #""e\u0301""#),
    (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#),
  ])
  func `values that differ are not`(_ left: String, _ right: String) throws {
    #expect(try !json(left).isEquivalent(to: json(right)))
  }

  @Test func `the order of members never counts`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<100 {
      let value = JSONValue.random(depth: 4, using: &generator)
      let other = shuffled(value, using: &generator)
      #expect(value.isEquivalent(to: other))
    }
  }

  private func shuffled(_ value: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map { shuffled($0, using: &generator) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(name: $0.name, value: shuffled($0.value, using: &generator)) }
            .shuffled(using: &generator)))
    default: value
    }
  }
}
