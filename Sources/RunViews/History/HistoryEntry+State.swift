package import BatchRunner
internal import ByteCodings
internal import ReactorCore
internal import TimeSyntax

/// A run as the history records it: its id, its beginning, and the program's version.
package struct HistoryRun: Sendable {
  /// The id, which no other run has.
  package let id: String
  /// When the run began, in seconds since 1970 UTC.
  package let began: Int64
  /// The version of the program.
  package let tool: String

  /// Describes a run.
  package init(id: String, began: Int64, tool: String) {
    self.id = id
    self.began = began
    self.tool = tool
  }

  /// The entries of all flows of a state, in plan order.
  ///
  /// - Parameter mask: masks secrets in a text
  package func entries(of state: RunState, mask: (String) -> String) -> [HistoryEntry] {
    let start = state.started ?? .zero
    // Indices are used because a loop over the elements copies every flow.
    return state.flows.indices.map { entry(of: state.flows[$0], start: start, mask) }
  }

  /// The entry of one flow.
  ///
  /// - Parameter start: the reading of the run's clock at `began`
  package func entry(of flow: FlowState, start: Duration, _ mask: (String) -> String) -> HistoryEntry {
    let sinceStart = flow.started.map { ($0 - start).components.seconds } ?? 0
    var entry = HistoryEntry(
      run: id, flow: mask(flow.id), status: RunReport.Flow.Status(flow.status),
      started: InstantText.text(began + sinceStart))
    entry.duration = flow.duration.map(Quantity.milliseconds)
    entry.source = flow.source?.rawValue
    entry.result = flow.path.map(mask)
    (entry.records, entry.rejected, entry.bytes) = (flow.records, flow.rejected, flow.bytes)
    (entry.retries, entry.waited) = (flow.retries, Quantity.milliseconds(flow.waited))
    (entry.isPartial, entry.freshness) = (flow.isPartial, flow.freshness.map(Int64.init))
    entry.cursorBefore = flow.cursor?.before.map(mask)
    if flow.status == .passed, flow.save.error == nil { entry.cursorAfter = flow.cursor?.after.map(mask) }
    entry.failure = (flow.error ?? flow.save.error).map {
      HistoryEntry.Failure(kind: $0.kind.rawValue, message: RunReport.cut(mask($0.message)))
    }
    entry.tool = tool
    entry.version = flow.version.map { Hex.text($0) }
    return entry
  }
}
