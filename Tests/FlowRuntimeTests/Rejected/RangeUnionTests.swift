import FlowModel
@testable import FlowRuntime
import Testing

@Suite struct RangeUnionTests {
  private static func range(_ start: Int64?, _ end: Int64?) -> CursorRange {
    CursorRange(start: start.map { .integer($0) }, end: end.map { .integer($0) })
  }

  /// Ranges in the order in which they come, and what is asked for; nil is open.
  private static let cases: [([(Int64?, Int64?)], [(Int64?, Int64?)])] = [
    ([(5, 6)], [(5, 6)]), ([(5, 6), (1, 2)], [(1, 2), (5, 6)]), ([(5, 6), (6, 7)], [(5, 7)]),
    ([(1, 2), (5, 6), (2, 5)], [(1, 6)]), ([(1, 9), (3, 4)], [(1, 9)]), ([(3, 4), (1, 9)], [(1, 9)]),
    ([(5, nil), (7, nil), (2, nil)], [(2, nil)]), ([(nil, 3), (5, 6)], [(nil, 3), (5, 6)]),
    ([(5, 6), (nil, nil)], [(nil, nil)]), ([(8, nil), (1, 2)], [(1, 2), (8, nil)]),
    ([(1, 1), (1, 1), (3, 3)], [(1, 1), (3, 3)]),
  ]

  @Test(arguments: cases)
  func `ranges that overlap or touch become one`(_ given: [(Int64?, Int64?)], _ expected: [(Int64?, Int64?)]) {
    var union = RangeUnion()
    for (start, end) in given { union.insert(Self.range(start, end)) }
    #expect(union.ranges == expected.map { Self.range($0.0, $0.1) })
  }

  @Test func `there are never too many, and none is left out`() {
    var union = RangeUnion()
    for number in 0..<Int64(10_000) {
      let start = number * 7919 % 10_007 * 10
      union.insert(Self.range(start, start + 1))
    }
    #expect(union.ranges.count <= RangeUnion.most)
    for number in 0..<Int64(10_000) {
      let value = Cursor.Value.integer(number * 7919 % 10_007 * 10)
      let holds = union.ranges.contains { range in
        range.start.map { $0 <= value } ?? true && range.end.map { value < $0 } ?? true
      }
      #expect(holds)
    }
  }
}
