internal import StreamCompression

/// What packed data contain: gzip, Zstandard, and the members of ZIP archives, also within each other.
enum PackedContent {
  /// How deep packed data within packed data are looked at.
  private static let deepest = 3
  /// The size up to which content is unpacked, in bytes.
  private static let most = 64 << 20

  /// The contents of the bytes; empty for bytes that are not packed.
  static func contents(of bytes: [UInt8]) -> [[UInt8]] { contents(of: bytes, depth: 1) }

  private static func contents(of bytes: [UInt8], depth: Int) -> [[UInt8]] {
    guard depth <= deepest else { return [] }
    let found = unpacked(bytes)
    return found + found.flatMap { contents(of: $0, depth: depth + 1) }
  }

  private static func unpacked(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.starts(with: [0x1F, 0x8B]) { return [decompressed(bytes, .gzip)] }
    if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return [decompressed(bytes, .zstd)] }
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return members(bytes) }
    return []
  }

  /// As much as can be decompressed: a damaged end hides nothing before it.
  private static func decompressed(_ bytes: [UInt8], _ format: CompressionFormat) -> [UInt8] {
    var result: [UInt8] = []
    guard let decompressor = try? Decompressor(format) else { return result }
    decompressor.feed(bytes)
    while result.count < most, let piece = (try? decompressor.next()) ?? nil { result += piece }
    return result
  }

  /// The members of an archive (APPNOTE.TXT, section 4.3.7), found by their local headers.
  private static func members(_ bytes: [UInt8]) -> [[UInt8]] {
    func number(_ index: Int) -> Int { Int(bytes[index]) | Int(bytes[index + 1]) << 8 }
    var found: [[UInt8]] = []
    var index = 0
    while index + 30 <= bytes.count, found.count < 1000 {
      guard bytes[index...].starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
        index += 1
        continue
      }
      let start = index + 30 + number(index + 26) + number(index + 28)
      if start <= bytes.count, number(index + 8) == 8 { found.append(inflated(bytes[start...])) }
      index += 30
    }
    return found
  }

  private static func inflated(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    // A gzip member is a raw stream behind a head of ten bytes.
    decompressed([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + bytes, .gzip)
  }
}
