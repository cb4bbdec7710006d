internal import FlowModel

/// A union of cursor ranges, in order and without overlap.
///
/// It has at most `most` ranges. Above that limit, neighbouring ranges are joined in pairs, including the values
/// between them.
struct RangeUnion: Sendable {
  static let most = 256

  private(set) var ranges: [CursorRange] = []

  /// Adds a range; joins it with the ranges that it overlaps or touches.
  mutating func insert(_ range: CursorRange) {
    var new = range
    var result: [CursorRange] = []
    result.reserveCapacity(ranges.count + 1)
    var index: Int?
    for other in ranges {
      if Self.ends(other, before: new) {
        result.append(other)
      } else if Self.ends(new, before: other) {
        if index == nil { index = result.count }
        result.append(other)
      } else {
        new = Self.joined(new, other)
      }
    }
    result.insert(new, at: index ?? result.count)
    ranges = result.count > Self.most ? Self.halved(result) : result
  }

  /// Whether a range ends before another range starts.
  private static func ends(_ range: CursorRange, before other: CursorRange) -> Bool {
    guard let end = range.end, let start = other.start else { return false }
    return end < start
  }

  private static func joined(_ left: CursorRange, _ right: CursorRange) -> CursorRange {
    CursorRange(
      start: left.start.flatMap { left in right.start.map { min(left, $0) } },
      end: left.end.flatMap { left in right.end.map { max(left, $0) } })
  }

  private static func halved(_ ranges: [CursorRange]) -> [CursorRange] {
    stride(from: 0, to: ranges.count, by: 2).map { index in
      index + 1 < ranges.count ? joined(ranges[index], ranges[index + 1]) : ranges[index]
    }
  }
}
