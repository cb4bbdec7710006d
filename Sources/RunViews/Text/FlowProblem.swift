package import BatchRunner
package import ReactorCore
internal import SourceDiagnostics

/// Formats the problems of a flow for standard error: source location, flow, message, code and help.
///
/// ```
/// flows/shop.yaml:12: error: shop.orders: the server answered 503 [run.server]
///      = help: the server failed: run again later
/// ```
package struct FlowProblem {
  /// The maximum number of rejections that are shown for one flow.
  private static let maximumRejections = 10

  let style: TextStyle
  let isVerbose: Bool
  let isOffline: Bool
  /// Whether rejected records are a warning; false when a golden already contains them.
  let warnsOfRejected: Bool
  /// Masks secrets. Masking happens before long texts are cut, so that no part of a secret remains.
  let mask: @Sendable (String) -> String

  /// Creates a format with these settings.
  package init(
    style: TextStyle, isVerbose: Bool = false, isOffline: Bool = false, warnsOfRejected: Bool = true,
    mask: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.style = style
    self.isVerbose = isVerbose
    self.isOffline = isOffline
    self.warnsOfRejected = warnsOfRejected
    self.mask = mask
  }

  /// All problems of a flow as lines; empty when the flow has none.
  ///
  /// - Parameter hasRemedy: whether help is printed; false when the caller prints better help
  package func text(_ flow: FlowState, hasRemedy: Bool = true) -> String {
    var text = ""
    if let error = flow.error, flow.status != .cancelled || error.kind != .cancelled {
      text += head("error", .bad, flow, at: error.location, printable(message(error)), code: RunCode(error))
      for remark in facts(error) { text += self.remark("note", remark) }
      if hasRemedy, let help = Self.remedy(error, isOffline: isOffline) { text += remark("help", printable(help)) }
    }
    if case .failedTolerated(let error) = flow.save {
      text += head("warning", .odd, flow, "not saved: " + printable(message(error)), code: RunCode(error.kind))
    }
    if let error = flow.shortfall {
      text += head(
        "warning", .odd, flow, "these are not all records: " + printable(message(error)), code: RunCode(error.kind))
    }
    for warning in flow.warnings {
      let error = warning.error
      text += head(
        "warning", .odd, flow, at: error.location, printable(message(error)),
        code: RunCode(warning.kind) ?? RunCode(error.kind))
      if let help = error.help { text += remark("help", printable(help)) }
    }
    if let error = flow.stampFailure {
      text += head(
        "warning", .odd, flow, "saved, but the next run will ask the server again: " + printable(message(error)),
        code: RunCode(error.kind))
    }
    // Parents that failed are in the warning about records that are missing.
    if isVerbose ? flow.rejected > 0 : warnsOfRejected && flow.rejected > flow.summary.report.skipped {
      let total = flow.records + flow.rejected
      // In a flow that failed, only rejected records are counted.
      let share =
        flow.status == .failed
        ? "\(Quantity.count(flow.rejected, "record")) rejected"
        : "\(flow.rejected) of \(Quantity.count(total, "record")) rejected"
      text += head("warning", .odd, flow, share, code: .pruned)
      let shown = isVerbose ? Self.maximumRejections : 1
      for rejection in flow.rejections.prefix(shown) { text += remark("note", printable(rejection.description)) }
      let left = flow.rejected - min(flow.rejections.count, shown)
      if left > 0, isVerbose {
        text += remark("note", "and \(left) more; --format json lists the first \(PruneReport.listLimit)")
      }
      if let path = flow.rejectedPath { text += remark("note", "all of them are in \(printable(path))") }
    }
    return text
  }

  /// The help for a run-time error.
  package static func remedy(_ error: ReactorError, isOffline: Bool) -> String? {
    if let help = error.help { return help }
    switch error.kind {
    case .noConnectivity:
      return
        "check that the server runs and that 'base_url' names its host and port; 'reachability: false' skips this probe"
    case .timeout:
      return "run again, or give the flow more time with 'http.timeout'"
    case .persistence:
      return isOffline
        ? "run once without --fresh=never to ask the server"
        : "the previous result is intact; check that the folder is writable and has space, and that no other run is using it"
    case .parser:
      return error.recordIndex == nil
        ? "'reactor explain FLOW' shows what was expected; see 'records', 'schema' and 'expect'"
        : "fix the schema, or leave such records out with 'prune: true'"
    case .fixture:
      return "'reactor fixtures verify' shows what is wrong; 'reactor record' records the flow again"
    case .cancelled:
      return nil
    case .server:
      switch error.status {
      case 401, 403: return "check the flow's credentials: its headers and the secrets in them"
      case 404, 410: return "check 'base_url' and the resource's 'path'"
      case 429: return "the server asks for fewer requests: run later, or with a lower --max-per-host"
      case .some(500...599): return "the server failed: run again later"
      case .some(300...399): return "see 'http.redirects', or name the final address in 'base_url'"
      default: return nil
      }
    }
  }

  // MARK: - Parts

  private func head(
    _ kind: String, _ look: TextStyle.Role, _ flow: FlowState, at location: ReactorError.Location? = nil,
    _ message: String,
    code: RunCode
  ) -> String {
    let position = location.map { "\($0.line):\($0.column)" } ?? "\(flow.line)"
    let start = style.paint("\(PrintableText.of(flow.file)):\(position):", .bold)
    let text = style.paint("\(PrintableText.of(flow.id)): \(message)", .bold)
    return "\(start) \(style.paint(kind + ":", look)) \(text) \(style.paint("[\(code.rawValue)]", .faint))\n"
  }

  private func remark(_ kind: String, _ text: String) -> String { "     = \(kind): \(text)\n" }

  private func message(_ error: ReactorError) -> String { error.description }

  /// Facts about an error that its message does not contain.
  private func facts(_ error: ReactorError) -> [String] {
    var facts: [String] = []
    if let status = error.status, !error.message.contains(String(status)) { facts.append("status \(status)") }
    if let path = error.path, !error.message.contains(path) { facts.append("file \(printable(path))") }
    return facts
  }

  private func printable(_ text: String) -> String { PrintableText.of(mask(text)) }
}
