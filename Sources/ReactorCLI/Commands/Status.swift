internal import ArgumentParser
internal import JSONSyntax
internal import RunViews
internal import SharedState
internal import SourceDiagnostics

/// The command `reactor status`.
struct StatusCommand: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how far a run of several processes is, and what each process does.",
    discussion: """
      Examples:
        reactor status nightly-2026-11-28 --state postgresql://reactor@db/state
        reactor status slurm-4711 --follow
        reactor status slurm-4711 --format json
      """)

  @Argument(help: "The name of the run, as 'reactor run --run' has it.")
  var run: String
  @Flag(help: "Show it again every two seconds until the run has ended.")
  var follow = false
  @OptionGroup var state: StateOption
  @OptionGroup(title: "Output") var output: OutputOptions

  func perform(_ invocation: Invocation) async throws(CommandError) -> ExitCode {
    let (console, out) = (invocation.console, invocation.out)
    let database = try invocation.requiredState(state)
    while true {
      let record = try await SharedRunRecord.known(run, in: database, withReports: false)
      if console.isJSON {
        invocation.writeJSON(.passed, DiagnosticBag(), [("run", record.json)])
      } else {
        out.write(RunStatusText(style: console.outStyle, isVerbose: console.isVerbose).text(record))
      }
      guard follow, !record.isEnded else { break }
      out.flush()
      do { try await Task.sleep(for: .seconds(2)) } catch { break }
    }
    await database.close()
    return .passed
  }
}

extension SharedRunRecord {
  /// What the shared state knows of a run; throws if there is no such run.
  static func known(
    _ run: String, in database: StateDatabase, withReports: Bool
  ) async throws(CommandError) -> SharedRunRecord {
    do throws(StateError) {
      if let record = try await read(run, in: database, withReports: withReports) { return record }
    } catch {
      throw CommandError(error)
    }
    throw CommandError(
      "the shared state has no run '\(run)'",
      help: "'reactor run --state URL --run NAME' begins one; 'reactor history --state URL -v' shows the names of runs",
      .nothingSelected)
  }
}

/// The text of `reactor status`: a line for the run, and one for each process.
struct RunStatusText {
  let style: TextStyle
  let isVerbose: Bool

  /// The most flows that are named for a process, without `--verbose`.
  private static let mostFlows = 3

  func text(_ record: SharedRunRecord) -> String {
    var counts = ["\(record.count("passed")) passed"]
    for status in ["failed", "error"] where record.count(status) > 0 {
      counts.append(style.paint("\(record.count(status)) \(status)", .bad))
    }
    let word = record.isEnded ? "ended after" : "running for"
    var lines = [
      style.paint("run \(PrintableText.of(record.id))", .bold) + "  \(word) "
        + "\(Quantity.clock(.seconds(record.duration)))  \(record.ends.count) of "
        + "\(Quantity.count(record.flows, "flow")) ended: " + counts.joined(separator: ", ")
    ]
    let width = record.members.map { $0.address.count }.max() ?? 0
    lines += record.members.map { member in
      "  \(Quantity.padded(PrintableText.of(member.address), to: width))  "
        + "\(Quantity.padded(Quantity.count(member.ended, "flow"), to: 11))  \(state(of: member, record.isEnded))"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func state(of member: SharedRunRecord.Member, _ isEnded: Bool) -> String {
    if member.hasLeft { return "has left" }
    let silence = "last seen \(Quantity.age(.seconds(member.silence))) ago"
    var parts: [String] = []
    if !member.running.isEmpty { parts.append(text(member.running)) }
    if !member.helped.isEmpty { parts.append("requests parents of " + text(member.helped)) }
    if parts.isEmpty, !isEnded { parts.append("waits") }
    return (parts + [silence]).joined(separator: ", ")
  }

  private func text(_ flows: [String]) -> String {
    let most = isVerbose ? Int.max : Self.mostFlows
    var shown = flows.prefix(most).map { PrintableText.of($0) }
    if flows.count > most { shown.append("\(flows.count - most) more") }
    return shown.joined(separator: ", ")
  }
}

extension SharedRunRecord.Member {
  fileprivate var address: String { "\(host):\(pid)" }
}

extension SharedRunRecord {
  fileprivate var json: JSONValue {
    .object([
      "id": .string(id), "ended": .bool(isEnded), "duration_ms": .integer(Int64(duration * 1000)),
      "flows": .integer(Int64(flows)), "passed": .integer(Int64(count("passed"))),
      "failed": .integer(Int64(count("failed"))), "error": .integer(Int64(count("error"))),
      "cancelled": .integer(Int64(count("cancelled"))),
      "processes": .array(
        members.map { member in
          .object([
            "host": .string(member.host), "pid": .integer(Int64(member.pid)), "left": .bool(member.hasLeft),
            "silence_ms": .integer(Int64(member.silence * 1000)), "ended": .integer(Int64(member.ended)),
            "running": .array(member.running.map { .string($0) }),
            "requests_parents_of": .array(member.helped.map { .string($0) }),
          ])
        }),
    ])
  }
}
