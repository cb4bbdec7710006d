/// A half-open byte range of a file.
public struct SourceRange: Sendable {
  /// The file that contains the range.
  public let file: SourceFile
  /// The byte offsets `start..<end`; an empty range is a single position.
  public let offsets: Range<Int>

  /// Builds a range from byte offsets of a file.
  public init(file: SourceFile, offsets: Range<Int>) {
    self.file = file
    self.offsets = offsets
  }

  /// The first position of the range.
  public var start: SourcePosition { file.position(at: offsets.lowerBound) }
  /// The first position after the range.
  public var end: SourcePosition { file.position(at: offsets.upperBound) }
}

extension SourceRange: Hashable {
  /// Compares the paths and the offsets.
  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.offsets == right.offsets && left.file.path == right.file.path
  }

  /// Hashes the path and the offsets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(file.path)
    hasher.combine(offsets)
  }
}

/// A position in a text: a zero-based byte offset, and a line and column that both start at 1.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// The number of UTF-8 bytes before the position.
  public var offset: Int
  /// The line number, from 1.
  public var line: Int
  /// The column number in Unicode scalars, from 1.
  public var column: Int

  /// Builds a position. The three values must describe the same position.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Compares the offsets.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool { left.offset < right.offset }
}
