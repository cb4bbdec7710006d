internal import FlowModel
internal import ReactorCore
internal import Records

extension Pull {
  /// Refuses a first page of which every record is rejected.
  ///
  /// The flow is wrong, so further pages would give the same error. In a flow with several requests, a single request
  /// may have such a page.
  func refuseUnfit(_ first: PageReading) throws(ReactorError) {
    guard plan.each == nil, plan.cursor == nil, first.outcome.report.isWhollyRejected else { return }
    throw Expectations.allRejected(first.outcome.report, of: " of the first page")
  }
}
