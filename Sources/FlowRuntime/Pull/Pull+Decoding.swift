internal import FlowModel
internal import ReactorCore
internal import Records
internal import ResponseFormats

extension Pull {
  /// The response as JSON; nil for a response that is JSON itself.
  func decoded(_ body: ResponseBody) async throws(ReactorError) -> DecodedResponse? {
    guard let format = plan.records.format else { return nil }
    return try await DecodedResponse(
      body, as: format, layout: plan.records.xmlLayout, columns: plan.records.columnNames,
      maxBytes: plan.transfer.maxBytes)
  }

  /// Refuses a page whose last record cannot be read, if that record gives the next page.
  ///
  /// The pull would end at this page as if it were the last one.
  func refuseUnreadTail(_ outcome: RecordReader.Outcome, _ decoded: DecodedResponse) throws(ReactorError) {
    guard plan.pages?.readsLastRecord ?? false, let last = decoded.flaws.last, last == outcome.report.total - 1 else {
      return
    }
    throw ReactorError(
      .parser, "the last record of the page cannot be read, so the next page is not known", recordIndex: last)
  }
}
