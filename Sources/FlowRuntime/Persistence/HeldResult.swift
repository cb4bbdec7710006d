internal import ReactorCore
internal import Records
internal import Synchronization

/// A staged result, with the exclusive right to write its target until the result is committed or discarded.
struct HeldResult: StagedRecords {
  let staged: any StagedRecords
  let turn: ResultTurns.Turn

  func commit() async throws(ReactorError) -> RecordSet {
    defer { turn.end() }
    return try await staged.commit()
  }
}

/// A staged result that several fetches share. The first save commits it; each later save returns the same outcome.
final class SharedResult: StagedRecords {
  private let staged: any StagedRecords
  private let readsBySaving: Bool
  private let work = SharedWork<RecordSet>(mustFinish: true)
  private let outcome = Mutex<Result<RecordSet, ReactorError>?>(nil)

  /// - Parameter readsBySaving: whether `read` first commits a result that is not committed yet. True only if no fetch
  ///   waits for its save.
  init(_ staged: any StagedRecords, readsBySaving: Bool) {
    self.staged = staged
    self.readsBySaving = readsBySaving
  }

  func commit() async throws(ReactorError) -> RecordSet {
    try await work.value { [self] in
      if let known = outcome.withLock({ $0 }) { return known }
      let result: Result<RecordSet, ReactorError>
      do throws(ReactorError) {
        result = .success(try await staged.commit())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
      return result
    }
  }

  func read() async throws(ReactorError) -> RecordSet {
    if let known = outcome.withLock({ $0 }) { return try known.get() }
    guard readsBySaving else { return try await staged.read() }
    return try await commit()
  }
}

extension RecordSet {
  /// The same record set with another staged result, which determines how it is committed.
  func restaged(as staged: any StagedRecords) -> RecordSet {
    RecordSet(schema: schema, count: count, format: format, content: .staged(staged))
  }
}
