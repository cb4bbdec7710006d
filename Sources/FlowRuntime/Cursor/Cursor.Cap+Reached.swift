internal import FlowModel
internal import ReactorCore

extension Cursor.Cap {
  /// Whether the range has perhaps more records than the server gave on the pages that were read.
  ///
  /// A range with exactly as many records as the cap counts as capped, because nothing distinguishes it from a longer
  /// range. A page without records is the end of the range.
  ///
  /// - Parameter outcome: the pages of the range so far
  /// - Parameter count: the number of records on the last page, as received
  func isReached(by outcome: Pull.Outcome, lastPage count: Int) -> Bool {
    if let records, outcome.report.total >= records { return true }
    guard let pages else { return false }
    return outcome.pages >= pages && count > 0
  }

  /// Whether this number of pages certainly exceeds the cap.
  ///
  /// - Parameter count: the number of records on each page except the last one, as received
  func isExceeded(byPages last: Int, of count: Int) -> Bool {
    if let pages, last > pages { return true }
    guard let records else { return false }
    let (full, isHuge) = (last - 1).multipliedReportingOverflow(by: count)
    return isHuge || full >= records
  }

  /// The cap in words: `10000 records`.
  var words: String {
    let limits = [
      records.map { $0 == 1 ? "1 record" : "\($0) records" }, pages.map { $0 == 1 ? "1 page" : "\($0) pages" },
    ]
    let text = limits.compactMap { $0 }.joined(separator: " or ")
    return text.isEmpty ? "the limit that a rule of 'errors' reports" : text
  }
}
