internal import SourceDiagnostics

/// Formats a run as workflow commands of GitHub Actions.
///
/// Each flow that did not pass is an error at its source location. Each flow that passed without all records is a
/// warning. GitHub shows ten errors and ten warnings of a step. So nine of each are written, and a tenth gives the
/// number of the rest.
package struct GitHubAnnotations: Sendable {
  /// The maximum number of annotations that name a flow.
  package static let maximum = 9

  /// The maximum number of lines about one flow, without the line of its reason.
  private static let maximumLines = 12

  /// Creates the format.
  package init() {}

  /// The commands, one on each line; empty when all flows passed.
  package func text(_ report: RunReport) -> String {
    var commands: [String] = []
    for problem in report.errors.prefix(Self.maximum) {
      commands.append(Self.command(problem.message, title: problem.code, file: problem.file, line: problem.line))
    }
    let bad = report.flows.filter { $0.status != .passed }
    for flow in bad.prefix(Self.maximum - commands.count) {
      let facts = FlowFacts(flow)
      let help = flow.failure?.help.map { "\nhelp: \($0)" } ?? ""
      // A difference is shown at the declaration of its value.
      let location = flow.differences.first.map { ($0.file, $0.line) } ?? (flow.file, facts.line)
      let lines = facts.differences
      let more = lines.count > Self.maximumLines ? ["and \(lines.count - Self.maximumLines) more lines"] : []
      let listed = (lines.prefix(Self.maximumLines) + more).map { "\n" + $0 }.joined()
      commands.append(
        Self.command(
          facts.reason + listed + help, title: "\(flow.id) \(flow.status.rawValue)", file: location.0, line: location.1)
      )
    }
    let left = report.errors.count + bad.count - commands.count
    if left > 0 { commands.append(Self.command("and \(left) more; the step summary lists them", title: "reactor")) }
    let odd = report.flows.map(FlowFacts.init).filter(\.isRemarkable)
    for facts in odd.prefix(Self.maximum) {
      let flow = facts.flow
      var lines = facts.shortfalls
      if let rejections = facts.rejections {
        lines.append(rejections)
        if let path = flow.rejectedPath { lines.append("all rejected records are in \(path)") }
      }
      commands.append(
        Self.command(
          lines.joined(separator: "\n"), level: "warning", title: flow.id, file: flow.file, line: facts.line))
    }
    if odd.count > Self.maximum {
      let more = "and \(odd.count - Self.maximum) more; the step summary lists them"
      commands.append(Self.command(more, level: "warning", title: "reactor"))
    }
    return commands.map { $0 + "\n" }.joined()
  }

  /// The line after which GitHub ignores commands until `resume` with the same token.
  ///
  /// The token must be impossible to guess.
  package static func stop(_ token: String) -> String { "::stop-commands::\(token)\n" }

  /// The line after which GitHub accepts commands again.
  package static func resume(_ token: String) -> String { "::\(token)::\n" }

  private static func command(
    _ message: String, level: String = "error", title: String, file: String? = nil, line: Int? = nil
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=\(property(file))") }
    if let line { properties.append("line=\(line)") }
    properties.append("title=\(property(title))")
    // The line breaks of the message come from this program. Line breaks from servers are shown as visible text.
    let lines = message.split(separator: "\n").map { data(PrintableText.of(String($0))) }
    return "::\(level) \(properties.joined(separator: ","))::\(lines.joined(separator: "%0A"))"
  }

  private static func data(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // GitHub also accepts the old format of commands, `##[`, at any position in a line, so it is broken up.
    return result.split(separator: "##[", omittingEmptySubsequences: false).joined(separator: "# #[")
  }

  private static func property(_ text: String) -> String {
    var result = ""
    for scalar in data(PrintableText.of(text)).unicodeScalars {
      switch scalar {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
