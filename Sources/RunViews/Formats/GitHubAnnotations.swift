internal import SourceDiagnostics

/// A run as workflow commands of GitHub Actions.
///
/// An error for each flow that did not pass, at its source location, and a warning for each that passed without all
/// records. GitHub shows ten errors and ten warnings of a step, so nine are written and a tenth counts the others.
package struct GitHubAnnotations: Sendable {
  /// Annotations that name a flow.
  package static let maximum = 9

  /// Lines about one flow beside its reason.
  private static let maximumLines = 12

  /// No settings.
  package init() {}

  /// The commands, a line each; empty when all passed.
  package func text(_ report: RunReport) -> String {
    var commands: [String] = []
    for problem in report.errors.prefix(Self.maximum) {
      commands.append(Self.command(problem.message, title: problem.code, file: problem.file, line: problem.line))
    }
    let bad = report.flows.filter { $0.status != .passed }
    for flow in bad.prefix(Self.maximum - commands.count) {
      let facts = FlowFacts(flow)
      let help = flow.failure?.help.map { "\nhelp: \($0)" } ?? ""
      // A difference is shown where its value is declared.
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

  /// The line after which GitHub takes no commands until `resume` with the same token; the token must not be guessable.
  package static func stop(_ token: String) -> String { "::stop-commands::\(token)\n" }

  /// The line after which it takes commands again.
  package static func resume(_ token: String) -> String { "::\(token)::\n" }

  private static func command(
    _ message: String, level: String = "error", title: String, file: String? = nil, line: Int? = nil
  ) -> String {
    var properties: [String] = []
    if let file { properties.append("file=\(property(file))") }
    if let line { properties.append("line=\(line)") }
    properties.append("title=\(property(title))")
    // Line breaks come from this program; those of servers are made visible.
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
    // GitHub finds the old form of a command anywhere in a line.
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
