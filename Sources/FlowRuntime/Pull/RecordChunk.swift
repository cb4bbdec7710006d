/// Some records that are written to the result and passed to child flows.
struct RecordChunk: Sendable {
  /// The records in the format of the result, each with the separator before it.
  var bytes: [UInt8]
  /// The same records as JSON Lines, for child flows of a result in another format; else empty.
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
