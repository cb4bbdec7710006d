internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

/// The path of a result, which a run has locked.
struct TakenPath: Sendable {
  let path: RecordPath
  let spool: RecordSpool
  let flow: DeclaredFlow
  let observer: FlowObserver
}

/// A receiver whose result is one file, or several files that are chosen by fields of the records.
protocol FileResultReceiver: ResultReceiver {
  var taken: TakenPath { get }
}

extension FileResultReceiver {
  var format: RecordFormat { taken.spool.path.format }
  var receivesLines: Bool { format == .jsonLines }
  var spool: RecordSpool? { taken.spool }

  func content(_ ending: ResultEnding) -> RecordSet.Content { .staged(StagedFileResult(taken: taken, ending: ending)) }

  func unmodified(where isWanted: @escaping @Sendable (Provenance) -> Bool) async -> UnmodifiedResult? {
    let (flow, spool) = (taken.flow, taken.spool)
    guard let (file, stamp) = await spool.persisted(where: { isWanted($0.provenance) }),
      let records = await flow.records(of: file)
    else { return nil }
    return UnmodifiedResult(records, stamp.provenance, of: flow, format) { (provenance) throws(ReactorError) in
      try await spool.restamp(stamp, provenance)
    }
  }

  func discard() async { await taken.spool.discard() }
}

/// Writes records to the staged file in large pieces.
///
/// Only one task at a time uses a receiver. An actor would be safe too, but would switch executors twice for each page.
final class FileReceiver: FileResultReceiver {
  private static let pieceBytes = 256 << 10

  let taken: TakenPath
  private let pending: Mutex<PendingRecords>

  init(_ taken: TakenPath) {
    self.taken = taken
    pending = Mutex(PendingRecords(taken.flow.plan.records.schema.plan, format: taken.spool.path.format))
  }

  func encoder(of plan: MappingPlan) -> any RecordEncoder { RecordOutput(partOf: plan, format: format, key: nil) }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    let piece = pending.withLock { pending -> [UInt8] in
      pending.add(part.bytes)
      return pending.count >= Self.pieceBytes ? pending.take() : []
    }
    if !piece.isEmpty { try await taken.spool.write(piece) }
  }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    let piece = pending.withLock { pending in
      pending.end()
      return pending.take()
    }
    if !piece.isEmpty { try await taken.spool.write(piece) }
    return FinishedResult(count: pulled)
  }
}

/// Writes each record to the file that its fields choose.
struct SplitReceiver: FileResultReceiver {
  let taken: TakenPath
  let template: SplitTemplate

  func encoder(of plan: MappingPlan) -> any RecordEncoder { SplitOutput(plan, format: format, paths: template) }

  var receivesLines: Bool { false }

  func write(_ part: RecordChunk) async throws(ReactorError) { try await taken.spool.append(part.bytes) }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    FinishedResult(count: pulled)
  }
}
