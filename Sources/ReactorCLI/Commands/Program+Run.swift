internal import BatchRunner
internal import FlowSpec
internal import ReactorCore
internal import RunViews
internal import SourceDiagnostics

extension Program {
  /// `reactor run`
  func run(_ command: RunCommand) async throws(UsageError) -> ExitCode {
    let console = try console(command.output)
    let (limits, grace) = (try limits(command), try grace(command.stopping))
    var order = AssemblyOrder()
    order.mode = try mode(command)
    order.isFullRefresh = try settings.isOn(command.fullRefresh, "full-refresh")
    order.since = settings.value(command.since, "since")?.text
    if order.isFullRefresh || order.since != nil {
      let name = order.isFullRefresh ? "full-refresh" : "since"
      guard !order.isFullRefresh || order.since == nil else {
        throw UsageError("--full-refresh and --since exclude each other")
      }
      guard order.mode != .offline else { throw UsageError("--\(name) and --offline exclude each other") }
    }
    order.isRetryingRejected = try settings.isOn(command.retryRejected, "retry-rejected")
    if order.isRetryingRejected {
      guard order.mode == .persistenceFirst, !order.isFullRefresh, order.since == nil else {
        throw UsageError("--retry-rejected asks for what failed or was rejected, and for nothing else")
      }
    }
    order.timeout = try settings.seconds(command.timeout, "timeout")
    order.allowedPrune = try allowedPrune(command.allowPrune)
    order.root = settings.value(command.root, "root")?.text ?? "."
    let hasTiming = try !settings.isOn(command.noTiming, "no-timing")
    let failsPartial = try settings.isOn(command.failPartial, "fail-partial")
    let inputs = try inputs(command.inputs, console)
    let desk = try desk(command.reports, console)

    order.overrides = inputs.overrides
    order.environment = settings.environment
    order.learn = { console.learn($0) }
    guard let prepared = try prepared(command, order, inputs, console) else { return .usage }
    if try settings.isOn(command.dryRun, "dry-run") {
      return await dryRun(
        prepared.assembled, RunPlan(prepared.assembled.flows, limits: limits), shard: prepared.shard,
        codes: prepared.codes, console)
    }
    let ending = RunEnding(
      console: console, isOffline: order.mode == .offline, hasTiming: hasTiming, shard: prepared.shard, desk: desk,
      memory: RunEnding.Memory(root: order.root, lastRun: prepared.lastRun),
      diagnostics: prepared.diagnostics.diagnostics, codes: prepared.codes, failsPartial: failsPartial)
    let (state, faults) = await WatchedRun.execute(prepared.assembled, limits, signals, grace: grace, ending)
    return ending.finish(state, signal: signals?.exitCode, faults: faults)
  }

  /// The reports that were asked for.
  func desk(_ flags: [String], _ console: Console) throws(UsageError) -> ReportDesk {
    // A variable holds several, apart by blanks.
    let texts = flags.isEmpty ? settings.value(nil, "report")?.text.split(separator: " ").map(String.init) ?? [] : flags
    let desk = ReportDesk(
      orders: try ReportOrder.orders(texts, environment: settings.environment), environment: settings.environment)
    guard !console.isJSON || !desk.takesOutput else {
      throw UsageError("--format json and a report to '-' both want standard output")
    }
    return desk
  }

  private func mode(_ command: RunCommand) throws(UsageError) -> AssemblyOrder.Mode {
    let flags: [(mode: AssemblyOrder.Mode, name: String, isOn: Bool)] = [
      (.fresh, "fresh", command.fresh), (.revalidate, "revalidate", command.revalidate),
      (.offline, "offline", command.offline),
    ]
    let given = flags.filter(\.isOn)
    guard given.count <= 1 else { throw UsageError("--\(given[0].name) and --\(given[1].name) exclude each other") }
    if let flag = given.first { return flag.mode }
    var inherited: [(mode: AssemblyOrder.Mode, name: String, isOn: Bool)] = []
    for flag in flags where try settings.isOn(false, flag.name) { inherited.append(flag) }
    guard inherited.count <= 1 else {
      let names = inherited.prefix(2).map { "REACTOR_\($0.name.uppercased())" }
      throw UsageError("\(names.joined(separator: " and ")) exclude each other")
    }
    return inherited.first?.mode ?? .persistenceFirst
  }
}
