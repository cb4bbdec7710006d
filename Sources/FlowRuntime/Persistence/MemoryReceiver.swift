internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// Holds the records of a flow without a persistence, for a Swift caller; or only counts them.
final class MemoryReceiver: ResultReceiver {
  private let plan: MappingPlan
  /// Whether the records are held in memory, at most 32 MiB; otherwise they are only counted.
  private let holds: Bool
  private let pending: Mutex<PendingRecords>

  init(_ plan: MappingPlan, holds: Bool) {
    self.plan = plan
    self.holds = holds
    pending = Mutex(PendingRecords(plan, format: .jsonLines))
  }

  var format: RecordFormat { .jsonLines }
  var receivesLines: Bool { true }

  func encoder(of plan: MappingPlan) -> any RecordEncoder { RecordOutput(partOf: plan, format: format, key: nil) }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    guard holds else { return }
    let count = pending.withLock { pending in
      pending.add(part.bytes)
      return pending.count
    }
    guard count > RecordLimits().heldBytes else { return }
    throw .persistence(
      "the records take more than \(RecordLimits().heldBytes >> 20) MiB of memory (give the flow a 'persistence')")
  }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    pending.withLock { $0.end() }
    return FinishedResult(count: pulled)
  }

  func content(_ ending: ResultEnding) -> RecordSet.Content {
    holds ? .memory(pending.withLock { $0.take() }) : .notKept
  }

  func unmodified(where isWanted: @escaping @Sendable (Provenance) -> Bool) async -> UnmodifiedResult? { nil }

  func discard() async {}
}

/// Joins encoded records to the content of a file: adds the bytes before the first record and after the last one.
struct PendingRecords {
  private var joint: RecordJoint
  private var bytes: [UInt8]

  init(_ plan: MappingPlan, format: RecordFormat) {
    joint = RecordJoint(plan, format: format)
    bytes = joint.head
  }

  var count: Int { bytes.count }

  mutating func add(_ records: [UInt8]) {
    let joined = joint.joined(records)
    if bytes.isEmpty { bytes = joined } else { bytes += joined }
  }

  /// Adds the bytes after the last record.
  mutating func end() { bytes += joint.tail }

  /// Returns the pending bytes and removes them.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
