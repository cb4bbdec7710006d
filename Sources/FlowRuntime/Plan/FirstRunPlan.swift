package import Boxes
package import FlowTerms
internal import JSONSyntax
internal import ReactorCore

/// The parts of a plan that differ in the first run of a flow, while its cursor has no position.
package struct FirstRunPlan: Sendable {
  @Boxed package private(set) var request: RequestPlan
  /// Identifies what the first run requests and how its response is read.
  package let key: UInt64
  @Boxed private(set) var origin: FlowOrigin
  @BoxedIfPresent private(set) var fieldGroups: FieldGroups?
  @Boxed private(set) var records: RecordsPlan
  @BoxedIfPresent private(set) var pages: PagePlan?
  @BoxedIfPresent private(set) var cursor: CursorPlan?
  @BoxedIfPresent private(set) var job: JobPlan?
  /// The age of a position from which on the request is sent again; nil for never.
  package let againAfter: CursorTerms.Distance?

  /// Takes the parts of the flow as it was compiled for its first run.
  package init(_ plan: FlowPlan, againAfter: CursorTerms.Distance?) {
    self.againAfter = againAfter
    request = plan.request
    key = plan.result.key
    origin = plan.origin
    fieldGroups = plan.fieldGroups
    records = plan.records
    pages = plan.pages
    cursor = plan.cursor
    job = plan.job
  }

  /// The request in words, with secrets masked.
  var words: String {
    var parts = ["\(request.resource.method.rawValue) \(request.shownURL)"]
    if let format = records.format { parts.append(format.words) }
    parts.append("records at \(records.path?.text ?? "the whole response")")
    if let pages { parts.append("pages \(pages.words)") }
    if job != nil { parts.append("the result of a job") }
    return parts.joined(separator: "; ")
  }
}
