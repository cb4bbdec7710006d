package import FlowModel
internal import SourceDiagnostics
internal import TimeSyntax

extension Notice.Line {
  /// The number of characters of an error's message that are told.
  private static let longestError = 300

  /// Tells one thing about a flow.
  ///
  /// - Parameter now: seconds since 1970
  package init(_ event: NoticeEvent, _ health: FlowHealth, at now: Int64) {
    let (last, flow) = (health.last, health.flow)
    let error = last.failure.map { PrintableText.of($0.message, limit: Self.longestError) }
    let records = Quantity.count(last.records, "record")
    var text: String
    switch event {
    case .failed:
      text = "\(flow) failed" + (error.map { ": \($0)" } ?? "")
      if health.failures > 1, let first = health.firstFailure {
        text += " (\(health.failures) runs failed since \(first.started))"
      }
    case .missing:
      text =
        "\(flow) lacks records or its result: \(records)"
        + (last.rejected > 0 ? ", \(last.rejected) rejected" : "") + (error.map { "; \($0)" } ?? "")
    case .stale:
      let limit = Quantity.age(.seconds(health.freshness ?? 0))
      if let age = health.age(at: now) {
        text = "\(flow) is stale: its result is \(Quantity.age(.seconds(age))) old, 'expect.freshness' is \(limit)"
      } else {
        text = "\(flow) is stale: it has no result since its first run, 'expect.freshness' is \(limit)"
      }
    case .recovered: text = "\(flow) recovered: \(records)"
    case .first: text = "\(flow) passed for the first time: \(records)"
    }
    self.init(
      flow: flow, event: event, text: text, state: health.state, records: last.records,
      error: event == .failed || event == .missing ? error : nil)
  }
}
