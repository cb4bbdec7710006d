package import RunViews
internal import SourceDiagnostics
internal import Storage

/// A report that the command line requests: `--report KIND[=PATH]`.
package struct ReportOrder: Sendable, Hashable {
  /// The destination of a report.
  package enum Destination: Sendable, Hashable {
    /// A file, relative to the working folder.
    case file(String)
    /// Standard output, instead of a line for each flow: `-`.
    case standardOutput
    /// GitHub Actions, which reads the printed text and the file of the step summary.
    case gitHub
  }

  /// The report's format.
  package let format: ReportFormat
  /// The report's destination.
  package let destination: Destination

  /// Creates a request for a report.
  package init(_ format: ReportFormat, _ destination: Destination) {
    self.format = format
    self.destination = destination
  }

  /// Parses the values of `--report`, in order.
  ///
  /// In a job of GitHub Actions, the report for GitHub is written by default; `github=off` turns it off.
  package static func orders(_ texts: [String], environment: [String: String] = [:]) throws(CommandError)
    -> [ReportOrder]
  {
    var orders: [ReportOrder] = []
    var isGitHubOff = false
    for text in texts {
      if text == "github=off" {
        isGitHubOff = true
      } else {
        orders.append(try ReportOrder(text))
      }
    }
    if isGitHubOff { orders.removeAll { $0.format == .github } }
    if !isGitHubOff, environment["GITHUB_ACTIONS"] == "true", !orders.contains(where: { $0.format == .github }) {
      orders.append(ReportOrder(.github, .gitHub))
    }
    var destinations: Set<Destination> = []
    for order in orders where !destinations.insert(order.destination).inserted {
      switch order.destination {
      case .standardOutput: throw CommandError("--report writes two reports to standard output")
      case .file(let path): throw CommandError("--report writes two reports to '\(path)'")
      case .gitHub: throw CommandError("--report github is given twice")
      }
    }
    return orders
  }

  private init(_ text: String) throws(CommandError) {
    let sign = text.firstIndex(of: "=")
    let word = String(text[..<(sign ?? text.endIndex)])
    guard let format = ReportFormat(rawValue: word) else {
      let words = ReportFormat.allCases.map(\.rawValue)
      throw CommandError(
        "--report '\(text)': unknown report '\(word)'",
        help: NearMiss.suggestion(for: word, in: words).map { "did you mean '\($0)'?" }
          ?? words.joined(separator: ", "))
    }
    let path = sign.map { String(text[text.index(after: $0)...]) }
    switch path {
    case "": throw CommandError("--report '\(text)': the path after '=' is missing")
    // The folders may be reached through links. A link in place of the file itself is never followed.
    case "-": self.init(format, .standardOutput)
    case let path?: self.init(format, .file(WholeFile.resolvingFolders(of: path)))
    case nil: self.init(format, format.standardPath.map(Destination.file) ?? .gitHub)
    }
  }
}
