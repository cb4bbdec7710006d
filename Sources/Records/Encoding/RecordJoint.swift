internal import JSONSyntax

/// Joins parts written by `RecordOutput(partOf:format:)` into one complete file of their format.
public struct RecordJoint: Sendable {
  private let format: RecordFormat
  private let opening: [UInt8]
  private var isFirst = true

  /// Joins parts into a file of the format.
  public init(_ plan: MappingPlan, format: RecordFormat) {
    self.format = format
    let out = ByteBuffer(capacity: 256)
    RecordWriter(plan, format: format).begin(out)
    opening = out.copy()
  }

  /// The bytes before the first part; may be empty.
  public var head: [UInt8] { opening }

  /// The bytes of a part in the joined file.
  ///
  /// The first part that contains records loses its leading separator.
  public mutating func joined(_ part: [UInt8]) -> [UInt8] {
    guard isFirst, !part.isEmpty else { return part }
    isFirst = false
    return format == .json ? Array(part.dropFirst()) : part
  }

  /// The bytes after the last part.
  public var tail: [UInt8] {
    switch format {
    case .json: Array((isFirst ? "]\n" : "\n]\n").utf8)
    case .jsonLines, .csv: []
    }
  }
}
