/// A half-open range of one file, in bytes.
public struct SourceRange: Sendable {
  /// The file.
  public let file: SourceFile
  /// Byte offsets `start..<end`; empty for a point.
  public let offsets: Range<Int>

  /// Builds a range from byte offsets of a file.
  public init(file: SourceFile, offsets: Range<Int>) {
    self.file = file
    self.offsets = offsets
  }

  /// Where it starts.
  public var start: SourcePosition { file.position(at: offsets.lowerBound) }
  /// Where it ends (the first position after it).
  public var end: SourcePosition { file.position(at: offsets.upperBound) }
}

extension SourceRange: Hashable {
  /// Equal when the path and the offsets are.
  public static func == (left: SourceRange, right: SourceRange) -> Bool {
    left.offsets == right.offsets && left.file.path == right.file.path
  }

  /// Hashes the path and the offsets.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(file.path)
    hasher.combine(offsets)
  }
}

/// A position in a text: byte offset from 0, line from 1, column in Unicode scalars from 1.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// UTF-8 bytes from the start of the file, from 0.
  public var offset: Int
  /// Line, from 1.
  public var line: Int
  /// Column in Unicode scalars, from 1.
  public var column: Int

  /// Builds a position from its three coordinates, which must agree.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Orders by offset.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool { left.offset < right.offset }
}
