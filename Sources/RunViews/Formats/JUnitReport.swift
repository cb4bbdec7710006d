internal import ByteCodings
internal import SourceDiagnostics

/// Formats JUnit XML in the dialect that CI servers share: a suite for each flow file, a case for each flow.
///
/// A flow whose response does not match its declaration is a `failure`. A flow that could not be judged is an `error`.
/// A flow that did not start is `skipped`. Errors of flow files are errors in a separate suite, so a file that does
/// not load never looks like a file that passed. Without timing, all times are 0, because some readers require them.
package struct JUnitReport: Sendable {
  /// Creates the format.
  package init() {}

  /// The XML document.
  package func text(_ report: RunReport) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let problems = report.errors
    let errors = report.count(.error) + problems.count
    text += "<testsuites name=\"reactor\" tests=\"\(report.flows.count + problems.count)\""
    text += " failures=\"\(report.count(.failed))\" errors=\"\(errors)\" skipped=\"\(report.count(.cancelled))\""
    text += " time=\"\(Quantity.seconds(milliseconds: report.duration ?? 0))\"\(Self.timestamp(report))>\n"
    if !problems.isEmpty { text += suite(of: problems, report) }
    var start = 0
    while start < report.flows.count {
      var end = start + 1
      while end < report.flows.count, report.flows[end].file == report.flows[start].file { end += 1 }
      text += suite(of: Array(report.flows[start..<end]), report)
      start = end
    }
    return text + "</testsuites>\n"
  }

  /// When the run began. Suites have no start of their own, because their flows run among those of other suites.
  private static func timestamp(_ report: RunReport) -> String {
    report.startedAt.map { " timestamp=\"\(Markup.text($0))\"" } ?? ""
  }

  private func suite(of flows: [RunReport.Flow], _ report: RunReport) -> String {
    let time = flows.reduce(Int64(0)) { $0 &+ ($1.duration ?? 0) }
    func count(_ status: RunReport.Flow.Status) -> Int { flows.count { $0.status == status } }
    var text = "  <testsuite name=\"\(Markup.text(flows.first?.file ?? ""))\" tests=\"\(flows.count)\""
    text += " failures=\"\(count(.failed))\" errors=\"\(count(.error))\" skipped=\"\(count(.cancelled))\""
    text += " time=\"\(Quantity.seconds(milliseconds: time))\"\(Self.timestamp(report))>\n"
    for flow in flows { text += testCase(flow) }
    return text + "  </testsuite>\n"
  }

  private func testCase(_ flow: RunReport.Flow) -> String {
    let facts = FlowFacts(flow)
    var text = "    <testcase classname=\"\(Markup.text(flow.group))\" name=\"\(Markup.text(flow.name))\""
    text += " file=\"\(Markup.text(flow.file))\" line=\"\(flow.line)\" time=\"\(facts.seconds ?? "0.000")\">\n"
    var properties = [
      ("records", String(flow.records)), ("rejected", String(flow.rejected)), ("bytes", String(flow.bytes)),
      ("source", flow.source ?? "none"), ("save", flow.save),
    ]
    if flow.filtered > 0 { properties.append(("filtered", String(flow.filtered))) }
    if let path = flow.path { properties.append(("path", path)) }
    if let path = flow.rejectedPath { properties.append(("rejected_path", path)) }
    if let path = flow.cassette { properties.append(("cassette", path)) }
    if let path = flow.golden { properties.append(("golden", path)) }
    text += "      <properties>\n"
    for (name, value) in properties {
      text += "        <property name=\"\(name)\" value=\"\(Markup.text(value))\"/>\n"
    }
    text += "      </properties>\n"
    let reason = Markup.text(facts.reason)
    let kind = Markup.text(flow.failure?.kind ?? "unknown")
    let details = XMLText.escaped(body(facts))
    switch flow.status {
    case .passed:
      let remarks = facts.remarks.map { PrintableText.of($0) + "\n" }.joined()
      if !remarks.isEmpty { text += "      <system-out>\(XMLText.escaped(remarks))</system-out>\n" }
    case .failed: text += "      <failure type=\"\(kind)\" message=\"\(reason)\">\(details)</failure>\n"
    case .error: text += "      <error type=\"\(kind)\" message=\"\(reason)\">\(details)</error>\n"
    case .cancelled: text += "      <skipped message=\"\(reason)\"/>\n"
    }
    return text + "    </testcase>\n"
  }

  /// The reason and all remarks, one on each line.
  private func body(_ facts: FlowFacts) -> String {
    let lines = ["\(facts.location): \(facts.flow.id): \(facts.reason)"] + facts.remarks
    return lines.map { PrintableText.of($0, limit: 1000) }.joined(separator: "\n") + "\n"
  }

  private func suite(of problems: [RunReport.Problem], _ report: RunReport) -> String {
    var text = "  <testsuite name=\"configuration\" tests=\"\(problems.count)\" failures=\"0\""
    text += " errors=\"\(problems.count)\" skipped=\"0\" time=\"0.000\"\(Self.timestamp(report))>\n"
    for problem in problems {
      let name = problem.location.isEmpty ? problem.code : "\(problem.location) \(problem.code)"
      text += "    <testcase classname=\"configuration\" name=\"\(Markup.text(name))\""
      if let file = problem.file { text += " file=\"\(Markup.text(file))\"" }
      if let line = problem.line { text += " line=\"\(line)\"" }
      text +=
        " time=\"0.000\">\n      <error type=\"\(Markup.text(problem.code))\" message=\"\(Markup.text(problem.message))\">"
      text += Markup.text(problem.help ?? problem.message) + "</error>\n    </testcase>\n"
    }
    return text + "  </testsuite>\n"
  }
}
