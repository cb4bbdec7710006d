internal import ReactorCore
internal import Records
internal import Synchronization

/// Where the records of a page go, in the format of the result, each with the separator before it.
protocol RecordSink: Sendable {
  /// Takes records; returns when there is room for more.
  func write(_ part: RecordChunk) async throws(ReactorError)
}

/// The end of the way to a result.
protocol ResultSink: RecordSink {
  /// Writes what is left; gives the number of records in the result.
  ///
  /// - Parameter pulled: how many records were written
  func finish(_ pulled: Int) async throws(ReactorError) -> Int
}

/// The end of the way: joins parts to the result and hands them to its spool in large pieces.
///
/// Used by one task at a time. An actor would keep it as safe, at the price of two changes of executor for each page.
final class SpoolSink: ResultSink {
  private static let pieceBytes = 256 << 10

  private struct State {
    var joint: RecordJoint
    var pending: [UInt8]

    /// What is pending, which is then no longer.
    mutating func take() -> [UInt8] {
      defer { pending = [] }
      return pending
    }
  }

  private let spool: RecordSpool?
  /// Whether the records are held in memory, where there is no spool.
  private let holds: Bool
  private let state: Mutex<State>

  init(_ spool: RecordSpool?, _ plan: MappingPlan, format: RecordFormat, holds: Bool = false) {
    self.spool = spool
    self.holds = holds && spool == nil
    let joint = RecordJoint(plan, format: format)
    state = Mutex(State(joint: joint, pending: joint.head))
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    guard spool != nil || holds else { return }
    let (piece, count) = state.withLock { state -> ([UInt8], Int) in
      let bytes = state.joint.joined(part.bytes)
      if state.pending.isEmpty { state.pending = bytes } else { state.pending += bytes }
      return (spool != nil && state.pending.count >= Self.pieceBytes ? state.take() : [], state.pending.count)
    }
    if let spool {
      if !piece.isEmpty { try await spool.write(piece) }
    } else if count > RecordLimits().heldBytes {
      throw .persistence(
        "the records take more than \(RecordLimits().heldBytes >> 20) MiB of memory (give the flow a 'persistence')")
    }
  }

  /// The records, where they are held in memory.
  var held: [UInt8]? { holds ? state.withLock { $0.pending } : nil }

  /// Writes what comes after the last record.
  func finish(_ pulled: Int) async throws(ReactorError) -> Int {
    let piece = state.withLock { state -> [UInt8] in
      state.pending += state.joint.tail
      return holds ? [] : state.take()
    }
    if let spool, !piece.isEmpty { try await spool.write(piece) }
    return pulled
  }
}
