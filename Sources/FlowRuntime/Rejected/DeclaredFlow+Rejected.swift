internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

extension DeclaredFlow {
  /// The parts that a retry requests again because of rejected records.
  ///
  /// - Throws: `.persistence` for a flow without parents in mode `append`, because existing records would be appended
  ///   again.
  func rejectedParts(_ rejected: RejectedRecords) async throws(ReactorError) -> [RejectedPart] {
    guard plan.isIncremental, !rejected.pending.isEmpty else { return [] }
    guard plan.result.mode != .append, plan.cursor?.token == nil else {
      if plan.each != nil { return [] }
      let records = rejected.pending.count == 1 ? "1 rejected record" : "\(rejected.pending.count) rejected records"
      let hasToken = plan.cursor?.token != nil
      let reason =
        hasToken
        ? "the token of the cursor requests only new records"
        : "the same responses also contain records that are already stored, and 'mode: append' would store those again"
      var error = ReactorError.persistence(
        "\(records) cannot be requested again: \(reason)", path: plan.result.rejected?.text)
      error.help = "run with --fresh=everything to start over\(hasToken ? "" : ", or use 'mode: merge'")"
      throw error
    }
    return try await rejected.parts(of: plan)
  }

  /// The error for rejected records that a retry has not delivered; nil when there are none.
  func undelivered(_ count: Int) -> ReactorError? {
    guard plan.isRetrying, count > 0 else { return nil }
    return ReactorError(
      .parser,
      count == 1 ? "1 rejected record is still not delivered" : "\(count) rejected records are still not delivered",
      path: plan.result.rejected?.text)
  }

  /// Opens the rejected records of a run; nil when they are not persisted.
  func openRejected() async throws(ReactorError) -> RejectedRecords? {
    guard let target = plan.result.rejected else { return nil }
    return try await RejectedRecords.open(
      try await rejectedPlace(target), of: plan.id, isStrict: plan.records.isStrict, keeping: retainedRejected,
      mask: { self.masked($0) })
  }

  /// Locks the file of the rejected records, or opens their table.
  private func rejectedPlace(_ target: ResolvedTarget) async throws(ReactorError) -> any RejectedPlace {
    switch target {
    case .file(let path): try await RecordSpool.open(path.output, in: environment.root, isTolerant: false)
    case .table(let table): RejectedTable(table, of: plan.id, in: environment)
    }
  }

  /// Which lines of an older file of rejected records are retained.
  ///
  /// A failed item is retained until a run requests the item again. Incremental flows also retain each rejected record
  /// until the record is delivered. When the run requests everything again, no lines are retained.
  private var retainedRejected: RejectedRecords.Retention {
    if plan.isIncremental { return plan.isFullRefresh ? .nothing : .undelivered(RejectedTracking(plan)) }
    guard plan.each != nil else { return .nothing }
    if plan.isRetrying { return .all }
    return plan.isReading && plan.mode == .replace ? .nothing : .items
  }
}
