/// A source text with its path.
///
/// Positions are stored as byte offsets. They are converted to line and column only when a diagnostic is shown.
public final class SourceFile: Sendable {
  /// The path as the user wrote it; all messages show this path.
  public let path: String
  /// The bytes of the file. They are meant to be UTF-8, but may be invalid until a reader has checked them.
  public let bytes: [UInt8]
  /// The byte offset at which each line starts; the first offset is 0.
  private let lineStarts: [Int]

  /// The length of the UTF-8 byte order mark at the start: 3 bytes, or 0 without a mark.
  ///
  /// The mark is not part of any line or column.
  private var markLength: Int {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }

  /// Creates a source file from bytes. Lines end with LF, CR LF or CR.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        // Skip eight bytes at a time: nearly all bytes are greater than the line break characters.
        if index &+ ByteWord.count <= bytes.count {
          let ends = ByteWord(bytes, at: index).below(UInt8(ascii: "\r") + 1)
          index &+= ends.trailingZeroBitCount / 8
          if ends == 0 { continue }
        }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\n") {
          starts.append(index)
        } else if byte == UInt8(ascii: "\r"), index >= bytes.count || bytes[index] != UInt8(ascii: "\n") {
          starts.append(index)
        }
      }
    }
    self.lineStarts = starts
  }

  /// Creates a source file from a string.
  public convenience init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The line (from 1) and the column (in Unicode scalars, from 1) of a byte offset.
  ///
  /// Offsets outside the file are clamped. A byte order mark at the start of the file is not counted.
  public func position(at offset: Int) -> SourcePosition {
    let clamped = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= clamped { low = middle } else { high = middle - 1 }
    }
    let start = low == 0 ? min(markLength, clamped) : lineStarts[low]
    var column = 1
    for byte in bytes[start..<clamped] where byte & 0xC0 != 0x80 { column += 1 }
    return SourcePosition(offset: clamped, line: low + 1, column: column)
  }

  /// The bytes of a line, without its line break and without a byte order mark.
  ///
  /// Line numbers start at 1. The result is empty if the line does not exist.
  public func line(_ number: Int) -> ArraySlice<UInt8> {
    guard number >= 1, number <= lineStarts.count else { return [] }
    let start = number == 1 ? markLength : lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return bytes[start..<end]
  }

  /// The number of lines, at least 1.
  public var lineCount: Int { lineStarts.count }
}
