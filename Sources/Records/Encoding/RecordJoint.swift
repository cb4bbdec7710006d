internal import JSONSyntax

/// Joins parts written by `RecordOutput(partOf:format:)` to a whole in their format.
public struct RecordJoint: Sendable {
  private let format: RecordFormat
  private let opening: [UInt8]
  private var isFirst = true

  /// A whole in a format.
  public init(_ plan: MappingPlan, format: RecordFormat) {
    self.format = format
    let out = ByteBuffer(capacity: 256)
    RecordWriter(plan, format: format).begin(out)
    opening = out.copy()
  }

  /// What comes before everything else; may be empty.
  public var head: [UInt8] { opening }

  /// A part as it goes into the whole: the first one that holds records loses its separator.
  public mutating func joined(_ part: [UInt8]) -> [UInt8] {
    guard isFirst, !part.isEmpty else { return part }
    isFirst = false
    return format == .json ? Array(part.dropFirst()) : part
  }

  /// What comes after the last part.
  public var tail: [UInt8] {
    switch format {
    case .json: Array((isFirst ? "]\n" : "\n]\n").utf8)
    case .jsonLines, .csv: []
    }
  }
}
