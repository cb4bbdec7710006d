internal import ByteCodings

/// A path segment with a special meaning: `.` or `..`, also if its dots are escaped (`%2e`).
package enum DotSegment {
  case current, parent

  package init?(_ segment: ArraySlice<UInt8>) {
    var dots = 0
    var index = segment.startIndex
    while index < segment.endIndex {
      if segment[index] == UInt8(ascii: ".") {
        index += 1
      } else if PercentCoding.escapedByte(at: index, in: segment) == UInt8(ascii: ".") {
        index += 3
      } else {
        return nil
      }
      dots += 1
      if dots > 2 { return nil }
    }
    switch dots {
    case 1: self = .current
    case 2: self = .parent
    default: return nil
    }
  }
}
