internal import FlowSpec
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// The largest report that is read, in bytes.
  private static let largestReport = 256 << 20

  /// `reactor report merge`
  func merge(_ command: MergeCommand) throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let desk = try desk(command.reports, console)
    guard desk.eventLogs.isEmpty else { throw UsageError("an event log cannot be made of reports") }
    var parts: [RunReport] = []
    for path in command.paths { parts.append(try report(path)) }
    var codes = Set(parts.compactMap { ExitCode(rawValue: $0.exit) })
    let missing = RunReport.missingShards(parts)
    if !missing.isEmpty {
      console.fail("shard \(missing.map(\.text).joined(separator: ", ")) is not among the reports")
      codes.insert(.notJudged)
    }
    // A part that had nothing to do is no fault of the whole.
    if parts.contains(where: { !$0.flows.isEmpty }) { codes.remove(.nothingSelected) }
    var whole: RunReport
    do throws(ReportError) {
      whole = try RunReport.joined(parts, exit: ExitCode.worst(of: codes).rawValue)
    } catch {
      throw UsageError(error.message)
    }
    let lost = desk.write(whole, console)
    if !lost.isEmpty { codes.insert(.notWritten) }
    whole.exit = ExitCode.worst(of: codes).rawValue
    let token = desk.isForGitHub ? RunEnding.token() : nil
    if let token { err.write(GitHubAnnotations.stop(token)) }
    if console.isJSON {
      out.writeMasked(whole.jsonLine)
    } else if !desk.takesOutput, !console.isQuiet {
      for flow in whole.flows where flow.status != .passed { out.write(line(flow)) }
      out.write(PrintableText.of(whole.sentence) + "\n")
    }
    for fault in lost { console.fail(fault) }
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

  private func report(_ path: String) throws(UsageError) -> RunReport {
    let bytes: [UInt8]
    do throws(SourceReadError) {
      bytes = try DiskFiles.bytes(of: path, limit: Self.largestReport)
    } catch {
      throw UsageError("report '\(path)' cannot be read: \(error.message)")
    }
    guard bytes.count <= Self.largestReport else { throw UsageError("report '\(path)' is larger than 256 MiB") }
    do throws(ReportError) {
      return try RunReport(parsing: bytes)
    } catch {
      throw UsageError(
        "report '\(path)' cannot be joined: \(error.message)",
        help: "'reactor run --report json=PATH' writes such reports")
    }
  }
}
