internal import BatchRunner
internal import JSONSyntax
internal import RunViews
internal import SourceDiagnostics

extension Invocation {
  /// Runs `reactor run --dry-run`: shows what the run would do; sends no request and writes nothing.
  func dryRun(
    _ assembled: AssembledFlows, _ limits: RunLimits, _ ending: RunEnding
  ) async -> ExitCode {
    let explanations = await assembled.explanations()
    await assembled.close()
    let exit = ExitCode.worst(of: ending.codes)
    var steps: [String: AssembledFlows.FirstStep] = [:]
    for explanation in explanations { steps[explanation.id] = explanation.step }
    let flows = RunPlan(assembled.flows).flows.map { ($0, steps[$0.id] ?? AssembledFlows.FirstStep(.ask)) }
    if console.isJSON {
      var members: [(String, JSONValue)] = [("dry_run", .bool(true))]
      if let shard = ending.shard { members.append(("shard", .string(shard.text))) }
      members += [
        ("jobs", .integer(Int64(limits.jobs))), ("max_per_host", .integer(Int64(limits.perHost))),
        ("flows", .array(flows.map { json($0, $1) })),
      ]
      writeJSON(exit, assembled.diagnostics, members)
      return exit
    }
    let width = min(flows.lazy.map { DisplayWidth.of($0.0.id) }.max() ?? 0, 48)
    for (flow, step) in flows {
      let text: String =
        switch step.action {
        case .use: "use   \(step.persisted)"
        case .ask:
          "ask   \(step.request)\(step.bound.map { " \($0)" } ?? "")\(step.auth.map { " [\($0)]" } ?? "")  (\(step.persisted))"
        case .fail: "fail  \(step.persisted)"
        }
      var line = "\(Quantity.padded(flow.id, to: width))  \(text)" + (flow.path.map { "  -> \($0)" } ?? "")
      if !flow.after.isEmpty { line += "  <- \(flow.after.joined(separator: ", "))" }
      if flow.isAdded { line += "  (as a parent)" }
      out.write(PrintableText.of(out.masked(line), limit: 2000) + "\n")
    }
    guard !console.isQuiet, !flows.isEmpty else { return exit }
    let parts = AssembledFlows.FirstStep.Action.allCases.compactMap { action -> String? in
      let count = flows.count { $0.1.action == action }
      guard count > 0 else { return nil }
      return switch action {
      case .use: "\(count) from persisted results"
      case .ask: "\(count) with requests"
      case .fail: "\(count) would fail"
      }
    }
    out.write(
      "dry run: \(Quantity.count(flows.count, "flow")): \(parts.joined(separator: ", "))  "
        + "\(limits.jobs) at once, \(limits.perHost) to one host\n")
    return exit
  }

  private func json(_ flow: RunnableFlow, _ step: AssembledFlows.FirstStep) -> JSONValue {
    .object([
      "id": .string(flow.id), "file": .string(flow.file), "line": .integer(Int64(flow.line)),
      "after": .array(flow.after.map { .string($0) }), "added": .bool(flow.isAdded),
      "action": .string(step.action.rawValue), "request": .string(out.masked(step.request)),
      "auth": step.auth.map { .string($0) } ?? .null, "persisted": .string(out.masked(step.persisted)),
      "bound": step.bound.map { .string(out.masked($0)) } ?? .null,
      "expires": step.expires.map { .string($0) } ?? .null,
      "path": flow.path.map { .string(out.masked($0)) } ?? .null, "host": .string(out.masked(flow.host)),
      "timeout_ms": .integer(Quantity.milliseconds(flow.timeout)),
    ])
  }
}
