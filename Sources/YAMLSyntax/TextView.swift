internal import SourceDiagnostics

/// Finds lines and words around an offset, for messages. Every result is within the file.
struct TextView {
  let bytes: [UInt8]

  /// The byte at an offset; nil at the end.
  func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// The start of the line that contains an offset.
  func lineStart(_ offset: Int) -> Int {
    var start = min(max(offset, 0), bytes.count)
    while start > 0, !Self.isBreak(bytes[start - 1]) { start -= 1 }
    if start == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return min(3, offset) }
    return start
  }

  /// The end of the line that contains an offset, without its line break.
  func lineEnd(_ offset: Int) -> Int {
    var end = min(max(offset, 0), bytes.count)
    while end < bytes.count, !Self.isBreak(bytes[end]) { end += 1 }
    return end
  }

  /// The offset of the first line break in a range; nil when there is none.
  func lineBreak(in offsets: Range<Int>) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var offset = offsets.lowerBound
      while offset < offsets.upperBound {
        if Self.isBreak(bytes[offset]) { return offset }
        offset += 1
      }
      return nil
    }
  }

  /// The start of the nearest line above an offset that is neither blank nor a comment; nil when there is none.
  func contentLineAbove(_ offset: Int) -> Int? {
    var start = lineStart(offset)
    while start > 0 {
      var end = start - 1
      if bytes[end] == UInt8(ascii: "\n"), end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      start = lineStart(end)
      let first = firstOnLine(start)
      if first < end, bytes[first] != UInt8(ascii: "#") { return start }
      if end == 0 { return nil }
    }
    return nil
  }

  /// The offset of the first byte on a line that is neither space nor tab; otherwise the end of the line.
  func firstOnLine(_ offset: Int) -> Int {
    var first = lineStart(offset)
    while let byte = byte(first), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { first += 1 }
    return first
  }

  /// The range of the word at an offset, up to 60 bytes.
  ///
  /// The range stays within the line. It has at least one scalar, unless the line ends at the offset.
  func word(_ offset: Int) -> Range<Int> {
    let start = min(max(offset, 0), bytes.count)
    var end = start
    while let byte = byte(end), !Self.isBreak(byte), end - start < 60 {
      if byte <= UInt8(ascii: " ") || [0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(byte) { break }
      end += 1
    }
    if end == start, let byte = byte(end), !Self.isBreak(byte) { end += 1 }
    while end > start, let byte = byte(end), byte & 0xC0 == 0x80 { end += 1 }
    return start..<end
  }

  /// The text of a range; invalid UTF-8 is replaced.
  func text(_ offsets: Range<Int>) -> String {
    String(decoding: bytes[offsets.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The offset of the next occurrence of a text, from `start` on; nil when there is none.
  func find(_ text: String, from start: Int, before limit: Int? = nil) -> Int? {
    let wanted = Array(text.utf8)
    let last = min(limit ?? bytes.count, bytes.count) - wanted.count
    guard let first = wanted.first, start >= 0, start <= last else { return nil }
    var offset = start
    while offset <= last {
      if bytes[offset] == first, bytes[offset..<offset + wanted.count].elementsEqual(wanted) { return offset }
      offset += 1
    }
    return nil
  }

  static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
