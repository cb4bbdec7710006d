/// A place in a text: byte offset from 0, line from 1, column in Unicode scalars from 1.
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
