internal import ReactorCore

/// The texts about one flow that several reports use; they may still contain characters that are not printable.
struct FlowFacts {
  /// The maximum number of rejections that a report lists for one flow.
  static let maximumRejections = 20

  let flow: RunReport.Flow

  init(_ flow: RunReport.Flow) { self.flow = flow }

  /// The location of the flow: `flows/shop.yaml:12`.
  var declaration: String { "\(flow.file):\(flow.line)" }

  /// The location of the error, `flows/shop.yaml:14:31`, when it is known; otherwise the location of the flow.
  var location: String { error.map { "\(flow.file):\($0.line):\($0.column)" } ?? declaration }

  /// The line of the error when it is known; otherwise the line of the flow.
  var line: Int { error?.line ?? flow.line }

  /// The location of the error in the flow's file; nil when it is unknown.
  private var error: ReactorError.Location? {
    flow.failure?.location ?? flow.warnings.lazy.compactMap(\.location).first
  }

  /// The reason why the flow did not pass, in one sentence; empty when it passed.
  var reason: String {
    switch flow.status {
    case .passed: ""
    case .failed, .error: flow.failure?.sentence ?? "the reason is unknown"
    case .cancelled:
      if let failure = flow.failure, failure.kind != "cancelled" { failure.sentence } else { "the run ended first" }
    }
  }

  /// Whether the flow passed, but with an error, a warning or rejected records.
  var isRemarkable: Bool {
    flow.status == .passed && (flow.failure != nil || flow.rejected > 0 || !flow.warnings.isEmpty)
  }

  /// The reasons why a flow that passed is not a full success, one on each line.
  var shortfalls: [String] {
    let unsaved = flow.status == .passed ? flow.failure.map { ["not saved: \($0.sentence)"] } : nil
    return (unsaved ?? []) + flow.warnings.map(\.sentence)
  }

  /// The number of rejected records as text; nil when none was rejected.
  var rejections: String? {
    guard flow.rejected > 0 else { return nil }
    // In a flow that failed, only rejected records are counted.
    return flow.status == .failed
      ? "\(Quantity.count(flow.rejected, "record")) rejected"
      : "\(flow.rejected) of \(Quantity.count(flow.records &+ flow.rejected, "record")) rejected"
  }

  /// Whether the location of the error is known.
  var hasErrorLocation: Bool { error != nil }

  /// Further facts, one on each line: status, file, help, the reason for an unsaved result, rejected records.
  var remarks: [String] { remarks(withDifferences: true) }

  /// Further facts, one on each line.
  ///
  /// - Parameter withDifferences: whether the differences and the details of a replay are among them
  func remarks(withDifferences: Bool) -> [String] {
    var remarks: [String] = []
    if flow.isAdded { remarks.append("run as a parent of selected flows") }
    remarks += shortfalls
    if let failure = flow.failure {
      if let status = failure.status, !failure.message.contains(String(status)) { remarks.append("status \(status)") }
      if let path = failure.path, !failure.message.contains(path) { remarks.append("file \(path)") }
      if let help = failure.help { remarks.append("help: \(help)") }
    }
    if flow.retries > 0 { remarks.append("\(Quantity.count(flow.retries, "request")) sent again") }
    if withDifferences { remarks += differences }
    if flow.save == "withheld" { remarks.append("nothing was saved: no record matches the schema") }
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

  /// The differences from the golden and the details of a replay, one on each line; the last line counts omitted
  /// lines.
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

  /// The source of the records.
  var source: String {
    switch flow.source {
    case "network": "network"
    case RunReport.Flow.replayed: "replayed"
    case "persistence": "persisted"
    case "not_modified": "not modified"
    default: "-"
    }
  }

  /// The duration in seconds without the unit, `0.041`; nil without timing.
  var seconds: String? { flow.duration.map { Quantity.seconds(milliseconds: $0) } }
}

extension RunReport.Flow {
  /// The differences from the golden, one on each line.
  package var differenceLines: [String] { FlowFacts(self).differences }
}
