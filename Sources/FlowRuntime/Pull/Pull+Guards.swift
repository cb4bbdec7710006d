internal import ReactorCore
internal import Records

extension Pull {
  /// A first page of which nothing fits is an error in the flow: following it to the last page would only end there.
  /// Among many requests of one flow a single one may be so.
  func refuseUnfit(_ first: PageReading) throws(ReactorError) {
    guard plan.each == nil, plan.cursor == nil, first.outcome.report.isWhollyRejected else { return }
    throw Expectations.allRejected(first.outcome.report, of: " of the first page")
  }
}
