internal import ArgumentParser
internal import FlowFolders
internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

/// The command `reactor report merge`.
struct MergeCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join JSON reports, such as those of shards, and end with their exit code.",
    discussion: """
      Examples:
        reactor report merge shard-*.json --report junit=junit.xml --report github
        reactor report merge run.json --report html=run.html          one report in another format
      """)

  @Argument(help: ArgumentHelp("Reports that 'reactor run --report json=PATH' wrote.", valueName: "report"))
  var paths: [String]
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Writes a report: junit, tap, tap14, md, html, json or github. Repeatable.", valueName: "kind[=path]"))
  var reports: [String] = []
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) throws(CommandError) -> ExitCode { try invocation.merge(self) }
}

extension Invocation {
  /// The largest report that is read, in bytes.
  private static let largestReport = 256 << 20

  /// Runs `reactor report merge`.
  func merge(_ command: MergeCommand) throws(CommandError) -> ExitCode {
    let desk = try desk(command.reports)
    guard desk.eventLogs.isEmpty else { throw CommandError("an event log cannot be made from reports") }
    var parts: [RunReport] = []
    for path in command.paths { parts.append(try report(path)) }
    var codes = Set(parts.compactMap { ExitCode(rawValue: $0.exit) })
    let missing = RunReport.missingShards(parts)
    if !missing.isEmpty {
      console.fail("shard \(missing.map(\.text).joined(separator: ", ")) is not among the reports")
      codes.insert(.notJudged)
    }
    // One empty part does not make the whole selection empty.
    if parts.contains(where: { !$0.flows.isEmpty }) { codes.remove(.nothingSelected) }
    let whole: RunReport
    do throws(ReportError) {
      whole = try RunReport.joined(parts, exit: ExitCode.worst(of: codes).rawValue)
    } catch {
      throw CommandError(error.message)
    }
    return conclude(whole, codes, desk)
  }

  /// Writes the reports of a joined run and prints its flows that did not pass; returns the exit code.
  ///
  /// - Parameters:
  ///   - codes: the exit codes of the parts
  ///   - surroundings: what pages show beside the report; nil for the time alone
  ///   - sentence: the last line; nil for the counts
  ///   - listsFlows: whether the flows that did not pass are printed
  func conclude(
    _ whole: RunReport, _ codes: Set<ExitCode>, _ desk: ReportDesk, in surroundings: RunSurroundings? = nil,
    sentence: String? = nil, listsFlows: Bool = true
  ) -> ExitCode {
    var (whole, codes) = (whole, codes)
    let lost = desk.write(whole, in: surroundings ?? RunSurroundings(of: whole, at: now, []), console)
    if !lost.isEmpty { codes.insert(.notWritten) }
    whole.exit = ExitCode.worst(of: codes).rawValue
    let token = desk.isForGitHub ? RunEnding.token() : nil
    if let token { err.write(GitHubAnnotations.stop(token)) }
    if console.isJSON {
      out.writeMasked(whole.jsonLine)
    } else if !desk.takesOutput, !console.isQuiet {
      for flow in whole.flows where listsFlows && flow.status != .passed { out.write(line(flow)) }
      out.write(PrintableText.of(sentence ?? whole.sentence) + "\n")
    }
    for message in lost { console.fail(message) }
    if let token {
      out.flush()
      err.write(GitHubAnnotations.resume(token) + GitHubAnnotations().text(whole))
    }
    return ExitCode.worst(of: codes)
  }

  private func line(_ flow: RunReport.Flow) -> String {
    let word =
      switch flow.status {
      case .passed: "ok   "
      case .failed: "FAIL "
      case .error: "ERROR"
      case .cancelled: "STOP "
      }
    let reason = flow.failure.map { "  " + PrintableText.of($0.sentence) } ?? ""
    return "\(word)  \(PrintableText.of(flow.id))\(reason)\n"
  }

  /// Throws if the exit code of a report contradicts its flows. Otherwise the joined run could pass although that run
  /// failed.
  private func refuseForged(_ report: RunReport) throws(ReportError) {
    guard let code = ExitCode(rawValue: report.exit) else {
      throw ReportError(message: "its exit code \(report.exit) is not an exit code of this program")
    }
    let failed = report.flows.first { $0.status == .failed || $0.status == .error }
    if code == .passed, let failed {
      throw ReportError(message: "its exit code says that all flows passed, but '\(failed.id)' did not")
    }
  }

  private func report(_ path: String) throws(CommandError) -> RunReport {
    let bytes: [UInt8]
    do throws(SourceReadError) {
      bytes = try DiskFiles.bytesAndMode(named: path, limit: Self.largestReport).bytes
    } catch {
      throw CommandError("report '\(path)' cannot be read: \(error.message)")
    }
    guard bytes.count <= Self.largestReport else { throw CommandError("report '\(path)' is larger than 256 MiB") }
    do throws(ReportError) {
      let report = try RunReport(parsing: bytes)
      try refuseForged(report)
      return report
    } catch {
      throw CommandError(
        "report '\(path)' cannot be joined: \(error.message)",
        help: "'reactor run --report json=PATH' writes such reports")
    }
  }
}
