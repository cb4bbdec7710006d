internal import JSONSyntax
internal import SourceDiagnostics

/// Formats TAP 14 (the Test Anything Protocol): a test point for each flow, with a YAML block for its problems.
///
/// Errors of flow files are test points that are `not ok`. The report of a run that was stopped ends with `Bail out!`.
package struct TAPReport: Sendable {
  /// The versions of TAP, each with its first line of a report.
  package enum Header: String, Sendable, Hashable, CaseIterable {
    /// Version 13: Test::Harness before 3.48 refuses a greater number, and reads the rest correctly.
    case widelyRead
    /// Version 14, as the specification of TAP 14 requires.
    case strict

    fileprivate var lines: String {
      switch self {
      case .widelyRead:
        "TAP version 13\n# in the syntax of TAP 14; prove refuses that number, '--report tap14' writes it\n"
      case .strict: "TAP version 14\n"
      }
    }
  }

  private let header: Header

  /// Creates a format whose reports begin with this line.
  package init(_ header: Header = .widelyRead) { self.header = header }

  /// The TAP text.
  package func text(_ report: RunReport) -> String {
    let problems = report.errors
    var text = header.lines + "1..\(report.flows.count + problems.count)\n"
    var number = 0
    for problem in problems {
      number += 1
      text += "not ok \(number) - \(Self.description(problem.location.isEmpty ? problem.code : problem.location))\n"
      var members = [("message", problem.message), ("severity", "error"), ("code", problem.code)]
      if let help = problem.help { members.append(("help", help)) }
      text += block(members, file: problem.file, line: problem.line)
    }
    for flow in report.flows {
      number += 1
      let facts = FlowFacts(flow)
      text += "\(flow.status == .passed ? "ok" : "not ok") \(number) - \(Self.description(flow.id))\n"
      guard flow.status != .passed || facts.isRemarkable else { continue }
      var members: [(String, String)] = []
      if flow.status != .passed {
        members += [("message", facts.reason), ("severity", flow.status == .failed ? "fail" : "error")]
      } else {
        members += [("message", facts.shortfalls.first ?? facts.rejections ?? ""), ("severity", "comment")]
      }
      if let kind = flow.failure?.kind { members.append(("kind", kind)) }
      if let help = flow.failure?.help { members.append(("help", help)) }
      if flow.rejected > 0 {
        members.append(("rejected", String(flow.rejected)))
        if let path = flow.rejectedPath { members.append(("rejected_path", path)) }
      }
      if let seconds = facts.seconds { members.append(("duration_s", seconds)) }
      text += block(members, file: flow.file, line: facts.line, lines: facts.differences)
    }
    if !report.isComplete { text += "Bail out! the run was stopped before its end\n" }
    return text
  }

  /// The description of a test point, with `\` and `#` escaped, because they would begin an escape and a directive.
  private static func description(_ text: String) -> String {
    var result = ""
    for character in PrintableText.of(text) {
      if character == "\\" || character == "#" { result += "\\" }
      result.append(character)
    }
    return result
  }

  /// A YAML block. Values are written as JSON strings, which are valid YAML too.
  private func block(_ members: [(String, String)], file: String?, line: Int?, lines: [String] = []) -> String {
    var text = "  ---\n"
    for (name, value) in members { text += "  \(name): \(quoted(value))\n" }
    if !lines.isEmpty { text += "  differences:\n" + lines.map { "    - \(quoted($0))\n" }.joined() }
    if let file {
      text += "  at:\n    file: \(quoted(file))\n"
      if let line { text += "    line: \(line)\n" }
    }
    return text + "  ...\n"
  }

  private func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.bytes(.string(PrintableText.of(text, limit: 1000))), as: UTF8.self)
  }
}
