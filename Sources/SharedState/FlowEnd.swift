internal import JSONSyntax

/// The end of a flow, as the shared state remembers it.
package struct FlowEnd: Sendable, Hashable {
  /// The id of the flow.
  package var flow: String
  /// The status word of the reports.
  package var status: String
  /// The exit code that the flow causes.
  package var exit: Int32
  /// The JSON report of a run that had only this flow.
  package var report: String
  /// The line of the history.
  package var line: String
  /// Milliseconds, if the flow has requested its records and passed; nil otherwise.
  package var duration: Int64?
  /// Milliseconds, however the flow ended; nil if it did not begin.
  package var took: Int64?

  /// Describes the end of a flow.
  package init(flow: String, status: String, exit: Int32, report: String, line: String, duration: Int64?) {
    self.flow = flow
    self.status = status
    self.exit = exit
    self.report = report
    self.line = line
    self.duration = duration
  }

  func json(unit: Int, fence: Int64, isLast: Bool) -> JSONValue {
    .object([
      "unit": .number(JSONNumber(Int64(unit))), "fence": .number(JSONNumber(fence)), "flow": .string(flow),
      "last": .bool(isLast), "status": .string(status), "exit": .number(JSONNumber(Int64(exit))),
      "report": .string(report), "line": .string(line),
      "duration": duration.map { .number(JSONNumber($0)) } ?? .null,
    ])
  }
}

extension JSONValue {
  /// The JSON text.
  var text: String { String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}

extension Duration {
  /// Seconds as a decimal number.
  var text: String { String(Double(components.seconds) + Double(components.attoseconds) / 1e18) }
}
