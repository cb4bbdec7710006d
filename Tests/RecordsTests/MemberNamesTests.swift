import FieldTypes
import ReactorCore
import Records
import TestSupport
import Testing

/// Members are found by their names alone: what is remembered of one record must not decide about the next.
@Suite struct MemberNamesTests {
  /// Of all lengths around the eight bytes that are compared at once; some begin alike.
  private static let read = ["", "a", "id", "seven_b", "eight_by", "eight_by_", "eight_by_and_1", "eight_by_and_2"]
  private static let unread = ["b", "eight_bz", "eight_by_and_3", "another_long_name", "é"]

  @Test(arguments: 0..<8) func `any order and any spelling of names`(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let schema = try schema(
      Self.read.enumerated().map { ("f\($0.offset)?", .integer) },
      from: Dictionary(uniqueKeysWithValues: Self.read.enumerated().map { ("f\($0.offset)", "$['\($0.element)']") }))
    var order = Self.read + Self.unread
    var texts: [String] = []
    var expected: [String] = []
    for _ in 0..<200 {
      // Most records keep the order of the one before.
      if random.next() % 4 == 0 { order.shuffle(using: &random) }
      if random.next() % 4 == 0 { order[Int.random(in: order.indices, using: &random)] = Self.read[0] }
      var values: [String: Int] = [:]
      let members = order.map { name -> String in
        let value = Int.random(in: 0..<1000, using: &random)
        values[name] = value
        return "\"\(Self.spelt(name, &random))\"\(Self.space(&random)):\(Self.space(&random))\(value)"
      }
      texts.append("{" + members.joined(separator: ",") + "}")
      let fields = Self.read.enumerated().map { position, name in
        "\"f\(position)\":\(values[name].map(String.init) ?? "null")"
      }
      expected.append("{" + fields.joined(separator: ",") + "}")
    }
    let reading = try await Reading("[" + texts.joined(separator: ",") + "]", schema)
    #expect(reading.report.rejected == 0)
    #expect(reading.lines == expected)
  }

  @Test(arguments: [
    #"{"a" 1}"#, #"{"a",1}"#, #"{"a"}"#, #"{a:1}"#, #"{"a"::1}"#, #"{"":1:2}"#, #"{:1}"#, #"{"a"x:1}"#, #"{"\q":1}"#,
  ]) func `what is no member is refused where one with its length was known`(text: String) async throws {
    let schema = try schema([("a?", .integer)])
    let before = #"{"a":1,"b":2}"#
    await #expect(throws: (any Error).self) { try await Reading("[\(before),\(before),\(text)]", schema) }
  }

  /// A name as it is, or with one character as an escape.
  private static func spelt(_ name: String, _ random: inout SeededGenerator) -> String {
    guard random.next() % 8 == 0, let first = name.unicodeScalars.first else { return name }
    let digits = String(first.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits + name.dropFirst()
  }

  private static func space(_ random: inout SeededGenerator) -> String { random.next() % 8 == 0 ? " \n" : "" }
}
