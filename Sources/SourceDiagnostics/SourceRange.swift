/// A half-open stretch of one file, in bytes.
public struct SourceRange: Sendable {
  /// The file it lies in.
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
  /// Where it ends (the first place after it).
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
