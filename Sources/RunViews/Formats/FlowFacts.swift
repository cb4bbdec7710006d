internal import ReactorCore

/// What reports say of one flow in words; the texts are not made printable yet.
struct FlowFacts {
  /// Rejections that a report lists of one flow.
  static let maximumRejections = 20

  let flow: RunReport.Flow

  init(_ flow: RunReport.Flow) { self.flow = flow }

  /// Where the flow is: `flows/shop.yaml:12`
  var declaration: String { "\(flow.file):\(flow.line)" }

  /// `flows/shop.yaml:12`, or `flows/shop.yaml:14:31` where the location of the error is known.
  var location: String { error.map { "\(flow.file):\($0.line):\($0.column)" } ?? declaration }

  /// The line of the error, or of the flow.
  var line: Int { error?.line ?? flow.line }

  /// Where the error is in the flow's file, if that is known.
  private var error: ReactorError.Location? {
    flow.failure?.location ?? flow.warnings.lazy.compactMap(\.location).first
  }

  /// Why the flow did not pass, in one sentence; empty when it passed.
  var reason: String {
    switch flow.status {
    case .passed: ""
    case .failed, .error: flow.failure?.sentence ?? "no reason is known"
    case .cancelled:
      if let failure = flow.failure, failure.kind != "cancelled" { failure.sentence } else { "the run ended first" }
    }
  }

  /// Whether the flow passed with an error, a warning or rejected records.
  var isRemarkable: Bool {
    flow.status == .passed && (flow.failure != nil || flow.rejected > 0 || !flow.warnings.isEmpty)
  }

  /// Why a flow that passed is not a full success, a line each.
  var shortfalls: [String] {
    let unsaved = flow.status == .passed ? flow.failure.map { ["not saved: \($0.sentence)"] } : nil
    return (unsaved ?? []) + flow.warnings.map(\.sentence)
  }

  /// How many records were rejected; nil when there are none.
  var rejections: String? {
    guard flow.rejected > 0 else { return nil }
    // A flow that failed counts its rejected records only.
    return flow.status == .failed
      ? "\(Quantity.count(flow.rejected, "record")) rejected"
      : "\(flow.rejected) of \(Quantity.count(flow.records &+ flow.rejected, "record")) rejected"
  }

  /// Further facts, a line each: status, file, help, why nothing was saved, rejected records.
  var remarks: [String] {
    var remarks: [String] = []
    if flow.isAdded { remarks.append("run as a parent of selected flows") }
    remarks += shortfalls
    if let failure = flow.failure {
      if let status = failure.status, !failure.message.contains(String(status)) { remarks.append("status \(status)") }
      if let path = failure.path, !failure.message.contains(path) { remarks.append("file \(path)") }
      if let help = failure.help { remarks.append("help: \(help)") }
    }
    if flow.retries > 0 { remarks.append("\(Quantity.count(flow.retries, "request")) sent again") }
    remarks += differences
    if flow.save == "withheld" { remarks.append("nothing was saved: no record fits") }
    if flow.filtered > 0 { remarks.append("\(Quantity.count(flow.filtered, "record")) left out") }
    if let rejections {
      remarks.append(rejections)
      remarks += flow.rejections.prefix(Self.maximumRejections).map { "  " + $0.sentence }
      let left = flow.rejected - min(flow.rejections.count, Self.maximumRejections)
      if left > 0 { remarks.append("  and \(left) more") }
      if let path = flow.rejectedPath { remarks.append("all rejected records are in \(path)") }
    }
    return remarks
  }

  /// The differences from the golden and the details of a replay, a line each; the last line counts what is left out.
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

  /// `0.041`, without unit; nil without timing.
  var seconds: String? { flow.duration.map { Quantity.seconds(milliseconds: $0) } }
}

extension RunReport.Flow {
  /// The differences from the golden, a line each.
  package var differenceLines: [String] { FlowFacts(self).differences }
}
