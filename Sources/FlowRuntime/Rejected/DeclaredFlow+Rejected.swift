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
    guard plan.result.mode != .append else {
      if plan.each != nil { return [] }
      let records = rejected.pending.count == 1 ? "1 rejected record" : "\(rejected.pending.count) rejected records"
      var error = ReactorError.persistence(
        "\(records) cannot be asked for again: what comes with them would be there twice with 'mode: append'",
        path: plan.result.rejected?.text)
      error.help = "run with --full-refresh to begin anew, or use 'mode: merge'"
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
}
