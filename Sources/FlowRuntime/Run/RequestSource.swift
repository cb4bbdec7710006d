internal import FlowModel
internal import ReactorCore

/// Where the requests of a run come from: one request, the ranges of a cursor, or the parents.
///
/// The kinds compose in one direction. A parent has one request or the ranges of a cursor; each range has one request.
/// Each request of any kind gives its records by its pages, or by the job that it creates (`Pull.run`). Which keys of a
/// flow can be combined is declared in their requirements; `CombinationTests` runs every combination.
protocol RequestSource: Sendable {
  /// Sends all requests, and writes their records to a sink.
  ///
  /// - Returns: the outcome of the requests; nil if there is nothing to request
  func requestAll(into sink: any RecordSink) async throws(ReactorError) -> Requested?
}

/// The outcome of the requests of a run, besides their records.
struct Requested: Sendable {
  var outcome = Pull.Outcome()
  /// What the run learned about its parents; nil without parents.
  var ledger: EachLedger?
  /// Where the run continues after its result is published; nil at the end.
  var checkpoint: Checkpoint?
}

extension RunPart {
  /// The source of the requests.
  ///
  /// - Parameter cursorRun: the cursor with its state and start for this run; nil without a cursor
  func source(_ cursorRun: CursorRun?) -> any RequestSource {
    if let each = flow.plan.each { return ParentRequests(each: each, flow: flow, part: self, run: cursorRun) }
    if let cursorRun { return RangeRequests(part: self, run: cursorRun) }
    return OneRequest(part: self)
  }
}
