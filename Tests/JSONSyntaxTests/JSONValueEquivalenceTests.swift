import JSONSyntax
import TestSupport
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
    var generator = SeededGenerator(3)
    for _ in 0..<100 {
      let value = JSONValue.random(depth: 4, using: &generator)
      let other = shuffled(value, using: &generator)
      #expect(value.isEquivalent(to: other))
    }
  }

  @Test(arguments: [2, 40])
  func `names that are canonically equivalent are two members`(_ others: Int) {
    var members = (0..<others).map { JSONObject.Member(name: "n\($0)", value: .null) }
    members.append(JSONObject.Member(name: "\u{e9}", value: .integer(1)))
    members.append(JSONObject.Member(name: "e\u{301}", value: .integer(2)))
    members.append(JSONObject.Member(name: "n0", value: .integer(3)))
    var object = JSONObject(members)
    #expect(object.members.count == others + 2)
    #expect(object.members[0].value == .integer(3))
    #expect(object["\u{e9}"] == .integer(1))
    #expect(object["e\u{301}"] == .integer(2))
    object["e\u{301}"] = nil
    #expect(object["\u{e9}"] == .integer(1))
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
