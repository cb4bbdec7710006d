internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

extension RejectedRecords {
  /// The members of a line that say how its record can be asked for again.
  static func members(_ trace: RejectedTracking.Trace, _ parents: JSONValue?) -> [UInt8] {
    let out = ByteBuffer(capacity: 128)
    if let key = trace.key {
      out.append(",\"key\":")
      out.append(json: .object(key))
    }
    if let range = trace.range {
      out.append(",\"cursor\":")
      out.append(json: .object(range))
    }
    if let parents {
      out.append(",\"parents\":")
      out.append(json: parents)
    }
    return out.copy()
  }

  /// The identities of the older file's records that a batch holds, as records that fit or as keys of some that are gone.
  func delivered(in batch: RecordBatch) -> Set<UInt64> { tracking?.delivered(in: batch, of: pending) ?? [] }

  /// Notes records of the older file that are persisted, or about to be; returns how many of the file's records are not.
  func note(delivered: Set<UInt64>) -> Int {
    state.withLock { state in
      state.delivered = delivered
      return pending.union(state.rejected).subtracting(delivered).count
    }
  }

  /// Gives each line of the older file; none where there is no such file.
  func readOld(_ take: (JSONValue) -> Void) async throws(ReactorError) {
    if let old { try await Self.read(old, at: spool.path, take) }
  }

  static func read(
    _ file: StoredFile, at path: OutputPath, _ take: (JSONValue) -> Void,
    pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) {
    let set = RecordSet(
      schema: .wholeRecords, count: 0, format: .jsonLines, content: .file(VerifiedRecords(file: file)))
    do throws(ReactorError) {
      try await set.read { (batch) throws(ReactorError) in
        for row in 0..<batch.count { take(batch.record(row)) }
      } pause: { () async throws(ReactorError) in
        try await pause()
      }
    } catch {
      throw unreadable(path, error)
    }
  }
}
