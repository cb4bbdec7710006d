internal import ByteCodings

/// An IPv6 address (RFC 4291), written in its canonical form (RFC 5952).
struct IPv6Address {
  private var pieces: [UInt16]

  init?(_ text: ArraySlice<UInt8>) {
    var before: [UInt16] = []
    var after: [UInt16]?
    var index = text.startIndex
    if text.starts(with: "::".utf8) {
      after = []
      index += 2
    } else if text.first == UInt8(ascii: ":") {
      return nil
    }
    while index < text.endIndex {
      guard before.count + (after?.count ?? 0) < 8 else { return nil }
      let group = text[index...].prefix { Hex.value($0) != nil }
      let end = group.endIndex
      var values: [UInt16] = []
      if end < text.endIndex, text[end] == UInt8(ascii: ".") {
        guard let last = Self.embedded(text[index...]) else { return nil }
        values = last
        index = text.endIndex
      } else {
        guard !group.isEmpty, group.count <= 4 else { return nil }
        values = [group.reduce(0) { $0 << 4 | UInt16(Hex.value($1) ?? 0) }]
        index = end
      }
      if after != nil { after?.append(contentsOf: values) } else { before.append(contentsOf: values) }
      guard index < text.endIndex else { break }
      guard text[index] == UInt8(ascii: ":") else { return nil }
      index += 1
      if index < text.endIndex, text[index] == UInt8(ascii: ":") {
        guard after == nil else { return nil }
        after = []
        index += 1
      } else if index == text.endIndex {
        return nil
      }
    }
    let count = before.count + (after?.count ?? 0)
    guard after == nil ? count == 8 : count <= 7 else { return nil }
    pieces = before + Array(repeating: 0, count: 8 - count) + (after ?? [])
  }

  /// The IPv4 part at the end of an address: four decimal numbers without leading zeros.
  private static func embedded(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt16] = []
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit),
        part.count == 1 || part.first != UInt8(ascii: "0")
      else { return nil }
      let value = part.reduce(0) { $0 * 10 + UInt16($1 - UInt8(ascii: "0")) }
      guard value <= 255 else { return nil }
      bytes.append(value)
    }
    return [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
  }

  /// The address as text. The first longest run of at least two zero pieces is written as `::`.
  var text: String {
    var best = 0..<0
    var index = 0
    while index < 8 {
      var end = index
      while end < 8, pieces[end] == 0 { end += 1 }
      if end - index > max(best.count, 1) { best = index..<end }
      index = end + 1
    }
    func joined(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if best.isEmpty { return joined(pieces[...]) }
    return joined(pieces[..<best.lowerBound]) + "::" + joined(pieces[best.upperBound...])
  }
}
