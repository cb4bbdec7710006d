internal import Fixtures
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews
internal import Synchronization
internal import TimeSyntax

extension FixtureSession {
  /// The result that a running flow has written, from memory or from a file; nil when it has written none.
  func written(by flow: DeclaredFlow) throws(FixtureError) -> FixtureContent? {
    guard let path = flow.outputPath else { return nil }
    if let bytes = results.withLock({ $0[path] }), !bytes.isEmpty { return .held(bytes) }
    return try FixtureContent(file: "\(root)/\(path)")
  }

  /// Compares a replay with its goldens; throws the error that makes the flow fail.
  func judge(
    _ flow: DeclaredFlow, _ declaration: FlowDeclaration, _ tape: FlowTape, _ clock: VirtualClock,
    _ result: Result<FetchSummary, ReactorError>, memory: CursorAccess.Memory?
  ) throws(ReactorError) -> FetchSummary {
    var outcome = FixtureOutcome()
    outcome.requests = tape.exchangeCount
    outcome.waits = clock.waits
    outcome.unused = tape.unused
    if let limit = declaration.fixture.maxAge,
      let recorded = tape.cassette.flatMap({ InstantText.seconds($0.recordedAt) })
    {
      let overdue = settings.now - recorded - Int64(limit)
      if overdue > 0 { outcome.overdue = overdue }
    }
    defer { found.withLock { [outcome] in $0[flow.id] = outcome } }
    try refuse(missesOf: tape, declaration, result, &outcome)
    do throws(FixtureError) {
      let judgement = GoldenJudgement(
        flow: flow, declaration: declaration, tape: tape, clock: clock, result: result, memory: memory,
        settings: settings,
        written: try written(by: flow))
      try judgement.decide(&outcome)
    } catch {
      throw ReactorError.fixture(error.message, help: error.help)
    }
    switch outcome.golden {
    case .missing:
      if case .failure(let error) = result { throw error }
      throw .fixture(
        "there is no golden for this flow in \(FixtureFolder(root: settings.folder, flow: flow.id).path)",
        help: "record the flow with 'reactor record', or accept its present records with 'reactor accept'")
    case .differs:
      if case .failure(let error) = result { throw error }
      let count = outcome.differences.count + outcome.differencesLeftOut
      throw .parser(count == 1 ? "1 difference from the golden" : "\(count) differences from the golden")
    case .none, .equal, .written, .replaced:
      // When the golden contains a failure, a flow that fails in the same way passes.
      guard case .success(let summary) = result else { return FetchSummary() }
      return summary
    }
  }

  /// Throws when the recording lacks a request that the flow has sent, and stores which one in `outcome`.
  private func refuse(
    missesOf tape: FlowTape, _ declaration: FlowDeclaration, _ result: Result<FetchSummary, ReactorError>,
    _ outcome: inout FixtureOutcome
  ) throws(ReactorError) {
    guard let miss = tape.misses.first else { return }
    let location = MappingLocations(declaration).request(differing: miss.parameters)
    outcome.details = miss.lines
    outcome.details.insert("declared  at \(location.file):\(location.line)", at: min(1, miss.lines.count))
    let more = tape.misses.count - 1
    if more > 0 { outcome.details.append("          and \(more) more without a recording") }
    if case .failure(let error) = result { throw error }
    throw .fixture(miss.sentence)
  }

  /// Retains the first records of a replay. Reads and writes no golden.
  func retain(
    _ count: Int, of flow: DeclaredFlow, _ declaration: FlowDeclaration, _ tape: FlowTape,
    _ result: Result<FetchSummary, ReactorError>
  ) throws(ReactorError) -> FetchSummary {
    var outcome = FixtureOutcome()
    outcome.requests = tape.exchangeCount
    defer { found.withLock { [outcome] in $0[flow.id] = outcome } }
    try refuse(missesOf: tape, declaration, result, &outcome)
    let summary = try result.get()
    guard summary.report.kept > 0 else { return summary }
    do throws(FixtureError) {
      let bytes = try written(by: flow)?.bytes ?? []
      if flow.outputPath?.hasSuffix(".json") ?? false {
        let values = try GoldenRecords.values(parsing: bytes, path: flow.outputPath ?? "", isArray: true)
        outcome.records = values.prefix(count).map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) }
      } else {
        outcome.records = bytes.split(separator: 0x0A, maxSplits: count).prefix(count).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    } catch {
      throw ReactorError.fixture(error.message, help: error.help)
    }
    return summary
  }
}
