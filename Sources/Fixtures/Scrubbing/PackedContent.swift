internal import StreamCompression

/// Unpacks data for the search for secrets: gzip, Zstandard, and the members of ZIP archives, also inside of each
/// other.
package struct PackedContent {
  /// The maximum nesting depth of packed data within packed data.
  private static let deepest = 3
  /// The maximum size of all unpacked contents of one body together, in bytes.
  package static let most = 64 << 20
  private static let pieceBytes = 256 << 10

  /// The contents; none for bytes that are not packed.
  package private(set) var found: [[UInt8]] = []
  private var room = most

  /// Unpacks the bytes, up to the maximum size of the contents.
  package init(of bytes: [UInt8]) { add(bytes, depth: 1) }

  private mutating func add(_ bytes: [UInt8], depth: Int) {
    guard depth <= Self.deepest, room > 0 else { return }
    let first = found.count
    if bytes.starts(with: [0x1F, 0x8B]) {
      decompress(bytes, .gzip)
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      decompress(bytes, .zstd)
    } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      bytes.withUnsafeBytes { addMembers($0) }
    }
    for index in first..<found.count { add(found[index], depth: depth + 1) }
  }

  /// Adds everything that can be decompressed, also if the end is damaged.
  private mutating func decompress(_ bytes: [UInt8], _ format: CompressionFormat) {
    guard let decompressor = try? Decompressor(format) else { return }
    decompressor.feed(bytes)
    var content: [UInt8] = []
    while room > 0, let piece = (try? decompressor.next()) ?? nil {
      content += piece
      room -= piece.count
    }
    found.append(content)
  }

  /// Adds the deflated members of an archive (APPNOTE.TXT, section 4.3.7), found by their local headers. Members that
  /// are stored without compression need no unpacking.
  private mutating func addMembers(_ archive: UnsafeRawBufferPointer) {
    func number(_ index: Int) -> Int { Int(archive[index]) | Int(archive[index + 1]) << 8 }
    var index = 0
    while index + 30 <= archive.count, room > 0 {
      guard archive[index...].starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
        index += 1
        continue
      }
      let start = index + 30 + number(index + 26) + number(index + 28)
      index += 30
      if start <= archive.count, number(index - 22) == 8, let end = inflate(archive, from: start) { index = end }
    }
  }

  /// Inflates a stream that begins at an index, and adds its content; returns the index after the stream if it ends.
  private mutating func inflate(_ archive: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let inflater = try? Inflater() else { return nil }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
    var index = start
    var isEnd = false
    while !isEnd, room > 0 {
      let rest = UnsafeRawBufferPointer(rebasing: archive[index...])
      let step = piece.withUnsafeMutableBytes { try? inflater.step(rest, into: $0) }
      guard let step, step.isEnd || step.read + step.written > 0 else { break }
      content += piece[..<step.written]
      index += step.read
      // Input that yields no output also takes time, so it counts against the maximum size.
      room -= max(step.read, step.written)
      isEnd = step.isEnd
    }
    found.append(content)
    return isEnd ? index : nil
  }
}
