internal import Fixtures
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore

extension FixtureSession {
  /// Whether a new recording is equivalent to the old one, so that the old one stays.
  ///
  /// Both have the same requests. The responses have the same status, fields and types, and the records are equal
  /// except masked values. Then only unused values differ, such as the time of a response.
  func repeats(
    _ old: Cassette, _ new: Cassette, of flow: DeclaredFlow, _ declaration: FlowDeclaration, _ tape: FlowTape,
    _ result: Result<FetchSummary, ReactorError>, in folder: FixtureFolder
  ) -> Bool {
    guard case .success(let outcome) = result,
      let drift = try? ResponseDrift.changes(
        from: old, to: new, matching: declaration.fixture.matching, values: false), drift.isEmpty,
      let golden = (try? folder.golden(FixtureFolder.records)) ?? nil,
      let decided = (try? folder.golden(FixtureFolder.decisions)) ?? nil,
      let decided = try? JSONValue(parsing: decided), let records = records(of: flow, declaration, tape, outcome)
    else { return false }
    var decisions = FlowDecisions(
      status: "passed", records: outcome.report.kept, rejected: outcome.report.rejected,
      pages: outcome.pages)
    decisions.order = records.order
    let json = decisions.json
    return records.bytes == golden
      && ["status", "records", "rejected", "pages", "order"].allSatisfy { json[$0] == decided[$0] }
  }

  /// The records of a run in the format of a golden; nil when they cannot be read.
  private func records(
    of flow: DeclaredFlow, _ declaration: FlowDeclaration, _ tape: FlowTape, _ outcome: FetchSummary
  ) -> GoldenRecords? {
    let masks = declaration.fixture.masks.compactMap { mask in
      ValueMask.Rule(mask.rule).map { ValueMask(mask.path.value, $0) }
    }
    let key = declaration.schema?.key.map(\.value) ?? []
    guard outcome.report.kept > 0 else { return GoldenRecords([], key: key, masks: masks) }
    guard let output = flow.outputPath, let bytes = try? written(by: flow)?.bytes,
      let values = try? GoldenRecords.values(
        parsing: tape.scrubber(keepsMarks: true).scrub(bytes), path: output, isArray: output.hasSuffix(".json"))
    else { return nil }
    return GoldenRecords(values, key: key, masks: masks)
  }
}
