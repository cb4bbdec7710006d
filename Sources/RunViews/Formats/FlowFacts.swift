internal import ReactorCore

/// What reports say of one flow in words; nothing in it is fit to be shown yet.
struct FlowFacts {
  /// Rejections that a report lists of one flow.
  static let rejectionsShown = 20

  let flow: RunReport.Flow

  init(_ flow: RunReport.Flow) { self.flow = flow }

  /// Where the flow is: `flows/shop.yaml:12`
  var declaration: String { "\(flow.file):\(flow.line)" }

  /// `flows/shop.yaml:12`, or `flows/shop.yaml:14:31` where the location of the error is known.
  var location: String { error.map { "\(flow.file):\($0.line):\($0.column)" } ?? declaration }

  /// The line of the error, or else of the flow.
  var line: Int { error?.line ?? flow.line }

  /// Where the error is in the flow's file, if that is known.
  private var error: ReactorError.Location? {
    flow.failure?.location ?? flow.warnings.lazy.compactMap(\.location).first
  }

  /// Why it did not pass, in one sentence; empty for one that passed.
  var reason: String {
    switch flow.status {
    case .passed: ""
    case .failed, .error: flow.failure?.sentence ?? "no reason is known"
    case .cancelled:
      if let failure = flow.failure, failure.kind != "cancelled" { failure.sentence } else { "the run ended first" }
    }
  }

  /// Whether it passed, but not all is as it should be.
  var isRemarkable: Bool {
    flow.status == .passed && (flow.failure != nil || flow.rejected > 0 || !flow.warnings.isEmpty)
  }

  /// What a flow that passed is short of, a line each: why it was not saved, why it has not all records.
  var shortfalls: [String] {
    let unsaved = flow.status == .passed ? flow.failure.map { ["not saved: \($0.sentence)"] } : nil
    return (unsaved ?? []) + flow.warnings.map(\.sentence)
  }

  /// How many records were rejected; nil when none was.
  var rejections: String? {
    guard flow.rejected > 0 else { return nil }
    // Of a flow that failed only the rejected ones are counted.
    return flow.status == .failed
      ? "\(Quantity.count(flow.rejected, "record")) rejected"
      : "\(flow.rejected) of \(Quantity.count(flow.records &+ flow.rejected, "record")) rejected"
  }

  /// Further facts, one a line: status, file, remedy, why nothing was kept, rejected records.
  var remarks: [String] {
    var remarks: [String] = []
    if flow.isAdded { remarks.append("run because selected flows take its records") }
    remarks += shortfalls
    if let failure = flow.failure {
      if let status = failure.status, !failure.message.contains(String(status)) { remarks.append("status \(status)") }
      if let path = failure.path, !failure.message.contains(path) { remarks.append("file \(path)") }
      if let help = failure.help { remarks.append("help: \(help)") }
    }
    if flow.retries > 0 { remarks.append("\(Quantity.count(flow.retries, "request")) sent again") }
    remarks += differences
    if flow.save == "withheld" { remarks.append("nothing was saved, because no record fits") }
    if flow.filtered > 0 { remarks.append("\(Quantity.count(flow.filtered, "record")) left out") }
    if let rejections {
      remarks.append(rejections)
      remarks += flow.rejections.prefix(Self.rejectionsShown).map { "  " + $0.sentence }
      let left = flow.rejected - min(flow.rejections.count, Self.rejectionsShown)
      if left > 0 { remarks.append("  and \(left) more") }
      if let path = flow.rejectedPath { remarks.append("all rejected records are in \(path)") }
    }
    return remarks
  }

  /// The differences from the golden and what else is said of a replay, a line each; nothing is left out silently.
  var differences: [String] {
    var lines = flow.details
    var record = ""
    for difference in flow.differences {
      let head = difference.path + (difference.key.map { " \($0)" } ?? "")
      if head != record {
        lines.append(head + (difference.response.map { "  from \($0)" } ?? ""))
        record = head
      }
      let old = difference.expected.map { "- \($0)" } ?? "- (absent)"
      let new = difference.actual.map { "+ \($0)" } ?? "+ (absent)"
      lines.append("  \(difference.jsonPath)  \(old)  \(new)  at \(difference.file):\(difference.line)")
    }
    if flow.differencesLeftOut > 0 { lines.append("  and \(flow.differencesLeftOut) more; --diff full shows all") }
    return lines
  }

  /// Where the records came from.
  var source: String {
    switch flow.source {
    case "network": "network"
    case "persistence": "persisted"
    case "not_modified": "not modified"
    default: "-"
    }
  }

  /// `0.041`, without unit; nil when it is not told.
  var seconds: String? { flow.duration.map { Quantity.seconds(milliseconds: $0) } }
}
