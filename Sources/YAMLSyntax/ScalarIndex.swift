/// Turns libyaml's positions, which count Unicode scalars, into byte offsets.
///
/// Every 8th scalar's byte offset is kept, so that a lookup walks at most 7 scalars; a text of ASCII needs no table.
struct ScalarIndex {
  private static let stride = 8
  /// Byte offsets of the scalars 0, 8, 16, … from the start of the text; empty for ASCII.
  private var milestones: [Int] = []
  private let base: Int

  /// - Parameters:
  ///   - bytes: well-formed UTF-8.
  ///   - base: where in the file the bytes start, which is added to every response.
  init(_ bytes: UnsafeBufferPointer<UInt8>, base: Int, isASCII: Bool) {
    self.base = base
    guard !isASCII else { return }
    milestones.reserveCapacity(bytes.count / Self.stride + 1)
    var untilNext = 0
    for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      if untilNext == 0 {
        milestones.append(offset)
        untilNext = Self.stride
      }
      untilNext -= 1
    }
  }

  /// The byte offset in the file of a scalar, clamped to the text.
  func offset(ofScalar index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !milestones.isEmpty else { return base + min(index, bytes.count) }
    let milestone = index / Self.stride
    guard milestone < milestones.count else { return base + bytes.count }
    var offset = milestones[milestone]
    var left = index % Self.stride
    while left > 0, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      left -= 1
    }
    return base + offset
  }
}
