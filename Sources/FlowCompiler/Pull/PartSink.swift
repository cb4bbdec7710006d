internal import ReactorCore
internal import Records

/// Where the records of a page go, in the format of the result, each with the separator before it.
protocol PartSink: Sendable {
  /// Takes records; returns when there is room for more.
  func write(_ part: RecordPart) async throws(ReactorError)
}

/// The end of the way to a result.
protocol ResultSink: PartSink {
  /// Writes what is left; gives the number of records in the result.
  ///
  /// - Parameter pulled: how many records were written
  func finish(_ pulled: Int) async throws(ReactorError) -> Int
}

/// The end of the way: joins parts to the result and hands them to its spool in large pieces.
actor SpoolSink: ResultSink {
  private static let pieceBytes = 256 << 10
  private let spool: RecordSpool?
  private var joint: RecordJoint
  private var pending: [UInt8]

  init(_ spool: RecordSpool?, _ plan: MappingPlan, format: RecordFormat) {
    self.spool = spool
    joint = RecordJoint(plan, format: format)
    pending = joint.head
  }

  func write(_ part: RecordPart) async throws(ReactorError) {
    guard spool != nil else { return }
    let bytes = joint.joined(part.bytes)
    if pending.isEmpty { pending = bytes } else { pending += bytes }
    if pending.count >= Self.pieceBytes { try await flush() }
  }

  /// Writes what comes after the last record.
  func finish(_ pulled: Int) async throws(ReactorError) -> Int {
    pending += joint.tail
    try await flush()
    return pulled
  }

  private func flush() async throws(ReactorError) {
    let piece = pending
    pending = []
    if !piece.isEmpty { try await spool?.write(piece) }
  }
}
