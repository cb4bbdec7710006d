import JSONSyntax
import TestSupport
import Testing

@Suite struct JSONNumberOrderTests {
  @Test(arguments: [
    ("1", "1.0"), ("1", "10e-1"), ("100", "1E+2"), ("0", "-0"), ("0", "0.000"), ("0", "0e99"), ("-0.0", "0e-5"),
    ("-12.50", "-1.25e1"),
    ("123456789012345678901234567890", "1.2345678901234567890123456789e29"), ("0.001", "1e-3"),
    ("1e999999999999", "10e999999999998"),
  ])
  func `numbers of the same value compare as equal`(_ left: String, _ right: String) {
    #expect(JSONNumber(validated: left).compare(JSONNumber(validated: right)) == 0)
    #expect(JSONNumber(validated: right).compare(JSONNumber(validated: left)) == 0)
  }

  @Test(arguments: [
    ("1", "2"), ("-2", "-1"), ("-1", "0"), ("0", "1e-400"), ("-1e-400", "0"), ("9", "10"),
    ("9007199254740992", "9007199254740993"),
    ("9223372036854775807", "9223372036854775808"), ("1.0000000000000000001", "1.0000000000000000002"),
    ("1e308", "1e309"), ("1e-309", "1e-308"),
    ("-1e309", "-1e308"), ("0.1", "0.10000000000000001"), ("99", "1e2"), ("999999999999999999", "1000000000000000000"),
    ("-1e500", "1e-500"),
    ("12", "1.3e1"), ("1e9", "1.1e9"),
  ])
  func `the lesser number compares as less`(_ lesser: String, _ greater: String) {
    #expect(JSONNumber(validated: lesser).compare(JSONNumber(validated: greater)) == -1)
    #expect(JSONNumber(validated: greater).compare(JSONNumber(validated: lesser)) == 1)
  }

  @Test func `the order agrees with that of integers and of doubles`() {
    var generator = SeededGenerator(8259)
    for _ in 0..<2000 {
      let left = Int64(bitPattern: generator.next() >> UInt64.random(in: 0..<60, using: &generator))
      let right = Int64(bitPattern: generator.next() >> UInt64.random(in: 0..<60, using: &generator))
      let order = left < right ? -1 : left > right ? 1 : 0
      #expect(JSONNumber(left).compare(JSONNumber(right)) == order)
      let fraction = JSONNumber(validated: "\(left).0")
      #expect(fraction.compare(JSONNumber(right)) == order)
      let (one, other) = (
        Double.random(in: -1e6...1e6, using: &generator), Double.random(in: -1e-6...1e6, using: &generator)
      )
      #expect(
        JSONNumber(validated: "\(one)").compare(JSONNumber(validated: "\(other)"))
          == (one < other ? -1 : one > other ? 1 : 0))
    }
  }
}
