internal import ReactorCore
internal import Records
internal import Synchronization

/// Receives the records of a page.
///
/// The records are in the format of the result, each with the separator before it.
protocol RecordSink: Sendable {
  /// Writes records; returns when there is room for more.
  func write(_ part: RecordChunk) async throws(ReactorError)
}

/// A sink that completes a result.
protocol ResultSink: RecordSink {
  /// Writes the remaining bytes; returns the number of records in the result.
  ///
  /// - Parameter pulled: the number of records that were written
  func finish(_ pulled: Int) async throws(ReactorError) -> Int
}

/// Joins chunks of records to a result and writes it to the spool in large pieces.
///
/// Only one task at a time uses a sink. An actor would be safe too, but would switch executors twice for each page.
final class SpoolSink: ResultSink {
  private static let pieceBytes = 256 << 10

  private struct State {
    var joint: RecordJoint
    var pending: [UInt8]

    /// Returns the pending bytes and removes them.
    mutating func take() -> [UInt8] {
      defer { pending = [] }
      return pending
    }
  }

  private let spool: RecordSpool?
  /// Whether the records are held in memory when there is no spool.
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

  /// The bytes of the records held in memory; nil when they are not held.
  var held: [UInt8]? { holds ? state.withLock { $0.pending } : nil }

  /// Writes the bytes after the last record.
  func finish(_ pulled: Int) async throws(ReactorError) -> Int {
    let piece = state.withLock { state -> [UInt8] in
      state.pending += state.joint.tail
      return holds ? [] : state.take()
    }
    if let spool, !piece.isEmpty { try await spool.write(piece) }
    return pulled
  }
}
