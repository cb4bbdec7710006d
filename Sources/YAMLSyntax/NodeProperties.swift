/// The locations of the anchor and the tag in front of a node, and the start of the node itself.
struct NodeProperties {
  private(set) var anchor: Range<Int>?
  private(set) var tag: Range<Int>?
  private(set) var contentStart: Int

  /// The later of the anchor and the tag; nil when the node has neither.
  var last: Range<Int>? {
    guard let anchor, let tag else { return anchor ?? tag }
    return anchor.lowerBound > tag.lowerBound ? anchor : tag
  }

  /// Finds the anchor and the tag in front of a node, and the start of the node after white space and comments.
  ///
  /// - Parameters:
  ///   - offsets: the range of the node as libyaml gives it, including the properties
  ///   - count: the number of properties, 0 to 2
  init(in bytes: [UInt8], offsets: Range<Int>, count: Int) {
    contentStart = offsets.lowerBound
    guard count > 0 else { return }
    var offset = offsets.lowerBound
    var left = count
    while offset < offsets.upperBound, left > 0 {
      let byte = bytes[offset]
      guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") else { break }
      let end = Self.endOfProperty(in: bytes, from: offset, before: offsets.upperBound)
      if byte == UInt8(ascii: "&") { anchor = offset..<end } else { tag = offset..<end }
      left -= 1
      offset = Self.endOfSpace(in: bytes, from: end, before: offsets.upperBound)
    }
    contentStart = offset
  }

  private static func endOfProperty(in bytes: [UInt8], from start: Int, before limit: Int) -> Int {
    var end = start + 1
    if bytes[start] == UInt8(ascii: "&") {
      // libyaml ends an anchor's name at the first byte that is not a letter, a digit, `_` or `-`.
      // YAML 1.2 allows more characters.
      while end < limit, TextView.isNameByte(bytes[end]), bytes[end] != UInt8(ascii: ".") { end += 1 }
      return end
    }
    let isVerbatim = end < limit && bytes[start] == UInt8(ascii: "!") && bytes[end] == UInt8(ascii: "<")
    while end < limit, bytes[end] > UInt8(ascii: " ") {
      if !isVerbatim, [0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(bytes[end]) { break }
      end += 1
    }
    return end
  }

  private static func endOfSpace(in bytes: [UInt8], from start: Int, before limit: Int) -> Int {
    var offset = start
    while offset < limit {
      if bytes[offset] == UInt8(ascii: "#") {
        while offset < limit, !TextView.isBreak(bytes[offset]) { offset += 1 }
      } else if bytes[offset] > UInt8(ascii: " ") {
        break
      } else {
        offset += 1
      }
    }
    return offset
  }
}
