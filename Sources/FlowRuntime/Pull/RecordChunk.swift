/// Some records on their way to the result, and to the flows that take them.
struct RecordChunk: Sendable {
  /// In the format of the result, each with the separator before it.
  var bytes: [UInt8]
  /// The same records as JSON Lines, where somebody takes them and the format is another one; else empty.
  var lines: [UInt8]

  init(_ bytes: [UInt8] = [], lines: [UInt8] = []) {
    self.bytes = bytes
    self.lines = lines
  }

  var isEmpty: Bool { bytes.isEmpty && lines.isEmpty }

  static func += (left: inout RecordChunk, right: RecordChunk) {
    left.bytes += right.bytes
    left.lines += right.lines
  }
}
