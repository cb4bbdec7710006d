package import RunViews
internal import SourceDiagnostics

/// A report that was asked for: `--report KIND[=PATH]`.
package struct ReportOrder: Sendable, Hashable {
  /// Where a report goes.
  package enum Destination: Sendable, Hashable {
    /// A file, relative to the working folder.
    case file(String)
    /// Standard output, in place of the lines that are printed else: `-`.
    case standardOutput
    /// Where GitHub looks for it.
    case gitHub
  }

  /// Its form.
  package let format: ReportFormat
  /// Where it goes.
  package let destination: Destination

  /// Names a report.
  package init(_ format: ReportFormat, _ destination: Destination) {
    self.format = format
    self.destination = destination
  }

  /// Reads the values of the flag, in order.
  ///
  /// In a job of GitHub Actions its report is made unasked; `github=off` keeps it from that.
  package static func orders(_ texts: [String], environment: [String: String] = [:]) throws(UsageError) -> [ReportOrder]
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
      case .standardOutput: throw UsageError("--report gives two reports to standard output")
      case .file(let path): throw UsageError("--report writes two reports to '\(path)'")
      case .gitHub: throw UsageError("--report github is given twice")
      }
    }
    return orders
  }

  private init(_ text: String) throws(UsageError) {
    let sign = text.firstIndex(of: "=")
    let word = String(text[..<(sign ?? text.endIndex)])
    guard let format = ReportFormat(rawValue: word) else {
      let words = ReportFormat.allCases.map(\.rawValue)
      throw UsageError(
        "--report '\(text)': there is no report '\(word)'",
        help: NearMiss.suggestion(for: word, in: words).map { "did you mean '\($0)'?" }
          ?? words.joined(separator: ", "))
    }
    let path = sign.map { String(text[text.index(after: $0)...]) }
    switch path {
    case "": throw UsageError("--report '\(text)': there is no path after '='")
    case "-": self.init(format, .standardOutput)
    case let path?: self.init(format, .file(path))
    case nil: self.init(format, format.standardPath.map(Destination.file) ?? .gitHub)
    }
  }
}
