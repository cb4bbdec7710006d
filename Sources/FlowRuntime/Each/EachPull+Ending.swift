internal import FlowModel
internal import ReactorCore
internal import Records

extension EachPull {
  /// Processes finished partitions in their order: writes each one's records and updates the progress.
  func settle(_ progress: inout Progress, into sink: any RecordSink) async {
    while progress.failure == nil, !progress.outcome.isEnd,
      let (partition, result) = progress.results.removeValue(forKey: progress.ended)
    {
      let buffer = progress.buffers.removeValue(forKey: progress.ended)
      progress.ended += 1
      take(result, of: partition, &progress)
      guard progress.failure == nil else { return }
      do throws(ReactorError) {
        if result.hasFailed {
          try await retain(recordsOf: result.identity, &progress, into: sink)
        } else {
          let bytes = try await buffer?.pour(into: sink) ?? 0
          note(result, of: partition, bytes: bytes, &progress.ledger)
        }
        if let keys = result.outcome.parentKeys { progress.sharedKeys.add(keys) }
        if result.error == nil { progress.outcome.add(result.outcome.withoutKeys) }
        try await pull.rejected?.flush()
      } catch {
        progress.failure = error
        return
      }
      if let identity = result.identity { progress.turns[identity, default: 0] += 1 }
      pull.instruments.observer(.received(bytes: progress.outcome.bytes))
      pull.instruments.observer(
        .paged(pages: progress.outcome.pages, records: progress.outcome.report.kept))
    }
  }

  /// Counts the failed items of a partition, and stores them as rejected records.
  private func take(_ result: PartitionResult, of partition: Partition, _ progress: inout Progress) {
    if let error = result.error {
      // A cancellation, or a missing connection, concerns all partitions, so the first such error ends the flow.
      guard error.kind != .cancelled, error.kind != .noConnectivity else {
        progress.failure = error.kind == .cancelled ? error : error.of(partition.words, result.request)
        return
      }
      let failure = ItemFailure(item: 0, rule: "request", pointer: "", reason: error.message)
      for item in 0..<partition.count {
        var failure = failure
        failure.item = item
        take(failure, error, of: partition, result, &progress)
      }
    } else {
      for failure in result.failures {
        take(failure, .parser(failure.reason), of: partition, result, &progress)
      }
    }
    pull.rejected?.note(tried: partition)
    progress.items += partition.count
  }

  private func take(
    _ failure: ItemFailure, _ error: ReactorError, of partition: Partition, _ result: PartitionResult,
    _ progress: inout Progress
  ) {
    let itemError = error.of(partition.words(ofItem: failure.item), result.request)
    guard each.skipsFailed else {
      progress.failure = progress.failure ?? itemError
      return
    }
    pull.rejected?.take(
      failure, of: partition, at: progress.items + failure.item,
      result.request ?? pull.plan.request.shown,
      status: error.status)
    progress.failed += 1
    progress.firstFailure = progress.firstFailure ?? error.of(nil, result.request)
    progress.outcome.report.skip(itemError.message, pointer: failure.pointer)
  }

  // MARK: - Ledger

  /// Adds a successful partition to the ledger.
  private func note(
    _ result: PartitionResult, of partition: Partition, bytes: Int, _ ledger: inout EachLedger
  ) {
    guard let identity = result.identity else { return }
    ledger.seen.insert(identity)
    ledger.records.append(ParentRecords(key: identity, count: result.outcome.report.kept, bytes: bytes))
    guard let changed = memory.changed else { return }
    let failed = Set(result.failures.map(\.item))
    for mark in changed.marks(of: partition) {
      ledger.seen.insert(mark.identity)
      // The parent counts as requested only if all of its records were read.
      if !failed.contains(mark.item), result.outcome.cut == nil { ledger.asked[mark.identity] = mark.digest }
    }
  }

  /// Copies the records of a failed parent from the earlier result into the new one.
  private func retain(
    recordsOf identity: String?, _ progress: inout Progress, into sink: any RecordSink
  ) async throws(ReactorError) {
    guard let identity else { return }
    progress.ledger.seen.insert(identity)
    progress.ledger.failed.insert(identity)
    guard let older = memory.earlier,
      let chunk = try await older.chunk(of: identity, progress.turns[identity] ?? 0)
    else { return }
    try await retain(chunk, of: older, &progress, into: sink)
  }

  private func retain(
    _ chunk: EarlierPartitions.Chunk, of older: EarlierPartitions, _ progress: inout Progress, into sink: any RecordSink
  ) async throws(ReactorError) {
    var records = chunk.records
    records.bytes = try await older.pour(chunk, into: sink)
    records.since = chunk.since
    progress.ledger.records.append(records)
    guard records.count > 0 else { return }
    progress.retained += records.count
    progress.retainedSince = min(progress.retainedSince ?? chunk.since, chunk.since)
  }

  // MARK: - End of the run

  /// The warning about records of different parents that have the same key; nil if there are none.
  private func sharedKey(_ progress: Progress) -> ReactorError? {
    let count = progress.sharedKeys.count
    guard count > 0 else { return nil }
    let names = pull.plan.records.schema.schema.key
    let key = names.joined(separator: ", ")
    var error = ReactorError.parser(
      "\(Expectations.records(count)) \(count == 1 ? "has" : "have") the key of another parent's record, but other "
        + "values: '\(key)' alone does not identify a record")
    error.key = names.first.map { "schema.\($0)" }
    error.help = "add the parent to the key: a field with 'value: \"{{ PARENT.id }}\"', and 'key: [that field, id]'"
    return error
  }

  /// Completes the progress after the last partition.
  ///
  /// Decides whether all parents were requested, and retains the earlier records of parents that were not requested but
  /// perhaps still exist.
  func end(
    _ progress: inout Progress, _ ending: PartitionEnding, into sink: any RecordSink
  ) async throws(ReactorError) {
    progress.outcome.sharedKey = sharedKey(progress)
    progress.ledger.seen.formUnion(ending.unchanged)
    progress.ledger.isWhole = ending.isWhole && !progress.outcome.isEnd && progress.failed == 0
    progress.ledger.isShort = ending.shortfall != nil || progress.outcome.isEnd
    // A parent that was not listed or not requested may still exist, so its records are retained.
    if ending.shortfall != nil || progress.outcome.isEnd, let older = memory.earlier {
      for chunk in try await older.others(than: progress.ledger.seen) {
        try await retain(chunk, of: older, &progress, into: sink)
      }
    }
    if let first = progress.firstFailure {
      try conclude(&progress, first)
    } else if let shortfall = ending.shortfall {
      progress.outcome.cut = progress.outcome.cut ?? Self.short(of: shortfall)
    }
    guard var cut = progress.outcome.cut else { return }
    cut.message += progress.retainedWords
    progress.outcome.cut = cut
    pull.instruments.observer(.cutShort(cut))
  }

  /// Reports the missing items; throws when all items failed, or more than allowed.
  private func conclude(_ progress: inout Progress, _ first: ReactorError) throws(ReactorError) {
    let noun = each.batch == nil ? "partitions" : "records"
    var error = first
    let isAll = progress.failed == progress.items
    if isAll || !(memory.bound?.allows(progress.failed, of: progress.items) ?? true) {
      if !isAll, let bound = memory.bound {
        error.message =
          "\(progress.failed) of \(progress.items) \(noun) failed, and at most \(bound.words) may fail "
          + "('each.max_rejected'); the first: \(first.message)"
      } else if progress.failed > 1 {
        error.message = "all \(progress.failed) \(noun) failed; the first: \(first.message)"
      }
      pull.rejected?.judge()
      if pull.rejected == nil { pull.instruments.observer(.pruned(progress.outcome.report)) }
      throw error
    }
    error.message = "\(progress.failed) of \(progress.items) \(noun) failed; the first: \(first.message)"
    progress.outcome.cut = error
  }

  private static func short(of shortfall: ReactorError) -> ReactorError {
    var error = shortfall
    error.message = "only some parents could be read: \(shortfall.message)"
    return error
  }
}

extension EachPull.Progress {
  /// `; 2 earlier records are retained, from 2026-11-21T06:00:00Z`; empty when no records are retained.
  fileprivate var retainedWords: String {
    guard retained > 0, let retainedSince else { return "" }
    let records = retained == 1 ? "1 earlier record is" : "\(retained) earlier records are"
    return "; \(records) retained, from \(PersistenceLookup.time(retainedSince))"
  }
}

extension ReactorError {
  /// The error with the partition and the request before its message.
  func of(_ words: String?, _ request: ShownRequest?) -> ReactorError {
    var error = self
    let shown = request.map { "\($0.method) \($0.url)" }.flatMap { message.hasPrefix($0 + ": ") ? nil : $0 }
    let parts = [words, shown].compactMap { $0 }
    error.message = (parts + [message]).joined(separator: ": ")
    return error
  }
}
