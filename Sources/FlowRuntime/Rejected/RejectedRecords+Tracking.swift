internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage
internal import Synchronization

extension RejectedRecords {
  /// The JSON members of a line that are needed to request its record again.
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

  /// The identities of the older file's records that a batch delivers.
  ///
  /// Such a record is in the batch as a valid record, or its key is in a batch of deletions.
  func delivered(in batch: RecordBatch) -> Set<UInt64> { tracking?.delivered(in: batch, of: pending) ?? [] }

  /// Notes that these records of the older file are persisted, or will be persisted with the result.
  ///
  /// - Returns: the number of rejected records that are still not delivered
  func note(delivered: Set<UInt64>) -> Int {
    state.withLock { state in
      state.delivered = delivered
      return pending.union(state.rejected).subtracting(delivered).count
    }
  }

  /// Calls a closure for each line of the older file, if there is one.
  func readOld(_ take: (JSONValue) -> Void) async throws(ReactorError) {
    if let old { try await Self.read(old, at: place.text, take) }
  }

  static func read(
    _ file: any RecordFile, at path: String, _ take: (JSONValue) -> Void,
    pause: () async throws(ReactorError) -> Void = {}
  ) async throws(ReactorError) {
    let set = RecordSet(
      schema: .wholeRecords, count: 0, format: .jsonLines, content: .file(file))
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
