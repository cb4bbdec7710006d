internal import FieldTypes
internal import Fixtures
internal import FlowModel
internal import FlowRuntime
internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import RunViews

/// Compares one replay with its goldens, and updates the goldens where the settings allow it.
struct GoldenJudgement {
  let flow: DeclaredFlow
  let declaration: FlowDeclaration
  let tape: FlowTape
  let clock: VirtualClock
  let result: Result<FetchSummary, ReactorError>
  /// The position of the flow's cursor after the run.
  let memory: CursorAccess.Memory?
  let settings: FixtureSettings
  /// The result as the flow wrote it; nil when the flow wrote none.
  let written: FixtureContent?

  private var folder: FixtureFolder { FixtureFolder(root: settings.folder, flow: flow.id) }
  private var keys: [String] { declaration.schema?.key.map(\.value) ?? [] }

  /// Compares the replay with the goldens and stores the verdict in `outcome`.
  func decide(_ outcome: inout FixtureOutcome) throws(FixtureError) {
    let scrubber = tape.scrubber(keepsMarks: true)
    let masks = declaration.fixture.masks.compactMap { mask in
      ValueMask.Rule(mask.rule).map { ValueMask(mask.path.value, $0) }
    }
    if masks.isEmpty, try isGolden(scrubber) {
      outcome.golden = .equal
      try settle()
      return
    }
    let records = GoldenRecords(try values(scrubber), key: keys, masks: masks)
    let decisions = decisions(scrubber, order: records.order)
    let new = [FixtureFolder.records: records.bytes, FixtureFolder.decisions: decisions.bytes]
    var old: [String: [UInt8]] = [:]
    for name in Self.names { old[name] = try folder.golden(name) }
    guard let oldDecisions = old[FixtureFolder.decisions], let oldRecords = old[FixtureFolder.records] else {
      outcome.golden = settings.update == .none ? .missing : .written
      try write(Self.names, new, old, &outcome)
      return
    }
    let path = folder.path(FixtureFolder.records)
    var differences: [GoldenDifference] = []
    do throws(FixtureError) {
      let golden = try GoldenRecords(parsing: oldRecords, key: keys, path: path)
      differences += GoldenDifference.between(golden, records)
      differences += GoldenDifference.between(
        comparable(try parsed(oldDecisions, folder.path(FixtureFolder.decisions))), decisions.json)
    } catch {
      // A golden that cannot be read, as after a conflict of a merge, can be replaced with the records of this run.
      guard settings.update == .all else {
        outcome.golden = .missing
        try write(Self.names.filter { old[$0] != new[$0] }, new, old, &outcome)
        throw error
      }
      outcome.golden = .replaced
      try write(Self.names.filter { old[$0] != new[$0] }, new, old, &outcome)
      return
    }
    guard !differences.isEmpty else {
      outcome.golden = .equal
      try settle()
      return
    }
    outcome.golden = settings.update == .all ? .replaced : .differs
    let listed = settings.maximumDifferences == nil ? differences : causes(differences)
    let origins = RecordOrigins(tape.usedResponses)
    outcome.differences = fitting(listed).map { shown($0, records, origins) }
    outcome.differencesLeftOut = differences.count - outcome.differences.count
    try write(Self.names.filter { old[$0] != new[$0] }, new, old, &outcome)
  }

  private static let names = [FixtureFolder.records, FixtureFolder.decisions]

  /// Whether the result has exactly the bytes of the golden. This is the usual case, and it needs no parsing.
  private func isGolden(_ scrubber: Scrubber) throws(FixtureError) -> Bool {
    guard !(flow.outputPath?.hasSuffix(".json") ?? false),
      try folder.isGolden(FixtureFolder.records, try scrubber.scrubbed(content))
    else { return false }
    return try folder.isGolden(FixtureFolder.decisions, decisions(scrubber, order: nil).bytes)
  }

  /// Removes the pending goldens of the flow, so that nothing waits for a decision any more.
  private func settle() throws(FixtureError) { for name in Self.names { try folder.reject(name) } }

  /// Returns the first differences that fit into `maximumLines`: one line per difference, and one more per record.
  private func fitting(_ differences: [GoldenDifference]) -> [GoldenDifference] {
    let listed = Array(differences.prefix(settings.maximumDifferences ?? .max))
    guard let room = settings.maximumLines else { return listed }
    var lines = 0
    var head: String??
    let end = listed.firstIndex { difference in
      lines += head == .some(difference.key) ? 1 : 2
      head = difference.key
      return lines > room
    }
    return Array(listed[..<(end ?? listed.endIndex)])
  }

  /// The differences without those that only follow from the failure of the flow, such as missing records.
  private func causes(_ differences: [GoldenDifference]) -> [GoldenDifference] {
    guard case .failure = result else { return differences }
    let names: Set<String> = ["status", "error", "requests", "waits_ms", "fields", "key"]
    let causes = differences.filter { difference in
      guard difference.kind == .decision, case .name(let name)? = difference.steps.first else { return false }
      return names.contains(name)
    }
    return causes.isEmpty ? differences : causes
  }

  private func write(
    _ names: [String], _ new: [String: [UInt8]], _ old: [String: [UInt8]], _ outcome: inout FixtureOutcome
  ) throws(FixtureError) {
    for name in names {
      guard let bytes = new[name] else { continue }
      outcome.changes.append(.init(path: folder.path(name), old: old[name], new: bytes))
      switch outcome.golden {
      case .written, .replaced:
        try FixtureFiles.write(bytes, to: folder.path(name))
        try folder.reject(name)
      case .missing, .differs:
        if settings.keepsPending { try FixtureFiles.write(bytes, to: folder.path(name) + FixtureFolder.pending) }
      case .none, .equal: break
      }
    }
  }

  /// The result as the flow wrote it.
  private var content: FixtureContent {
    guard case .success(let outcome) = result, outcome.report.kept > 0 else { return .held([]) }
    return written ?? .held([])
  }

  /// The records of the result, with the server's name instead of its address.
  private func values(_ scrubber: Scrubber) throws(FixtureError) -> [JSONValue] {
    let written = scrubber.scrub(try content.bytes)
    guard !written.isEmpty, let output = flow.outputPath else { return [] }
    return try GoldenRecords.values(parsing: written, path: output, isArray: output.hasSuffix(".json"))
  }

  private func decisions(_ scrubber: Scrubber, order: [String]?) -> FlowDecisions {
    var decisions = FlowDecisions(
      status: "passed", requests: FlowDecisions.requests(of: tape),
      waits: clock.waits.map { $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 },
      fields: declaration.schema?.fields.map { "\($0.name): \($0.type.word)" } ?? [])
    decisions.key = keys
    decisions.order = order
    switch result {
    case .failure(let error):
      decisions.status = error.kind == .parser ? "failed" : "error"
      decisions.error = scrubber.scrub(error.description)
    case .success(let outcome):
      decisions.records = outcome.report.kept
      decisions.rejected = outcome.report.rejected
      decisions.rejections = outcome.report.rejections.map {
        .init(index: $0.index, pointer: $0.pointer, reason: scrubber.scrub($0.reason))
      }
      decisions.pages = outcome.pages
      decisions.cursor = memory.map { memory in
        if let value = memory.value { return .string(scrubber.scrub(value)) }
        let parents = memory.parents.map {
          JSONObject.Member(name: scrubber.scrub($0.key), value: .string(scrubber.scrub($0.value)))
        }
        return .object(JSONObject(parents))
      }
    }
    return decisions
  }

  /// The decisions of a golden without the request values that are not compared. An older golden still contains these
  /// values.
  private func comparable(_ decisions: JSONValue) -> JSONValue {
    guard case .object(var object) = decisions, let requests = object["requests"]?.array else { return decisions }
    object["requests"] = .array(
      requests.map { line in line.string.map { .string(tape.matching.withoutIgnored($0)) } ?? line })
    return .object(object)
  }

  private func parsed(_ bytes: [UInt8], _ path: String) throws(FixtureError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw FixtureError("\(path): \(error.message)", help: "restore the file, or replace it with 'reactor accept'")
    }
  }

  // MARK: - Showing

  private func shown(
    _ difference: GoldenDifference, _ records: GoldenRecords, _ origins: RecordOrigins
  ) -> RunReport.Flow.Difference {
    let locations = MappingLocations(declaration)
    let location: MappingLocations.Location =
      switch difference.kind {
      case .changed: locations.field(difference.steps)
      case .added, .removed: locations.records
      case .decision:
        failedField(difference, locations)
          ?? locations.decision(difference.steps, expected: difference.expected, actual: difference.actual)
      }
    return .init(
      path: difference.kind == .decision
        ? folder.path(FixtureFolder.decisions) : declaredOutput ?? folder.path(FixtureFolder.records),
      key: difference.key, jsonPath: difference.path, expected: difference.expected.map(JSONDifference.shown),
      actual: difference.actual.map(JSONDifference.shown), file: location.file, line: location.line,
      response: response(difference, records, origins))
  }

  /// The field that failed in a record and made the flow fail.
  private func failedField(_ difference: GoldenDifference, _ locations: MappingLocations) -> MappingLocations.Location?
  {
    guard case .failure(let error) = result, let pointer = error.pointer,
      case .name(let name)? = difference.steps.first,
      ["status", "error"].contains(name)
    else { return nil }
    return locations.pointed(pointer)
  }

  /// The declared output path of the result, to which the golden corresponds; nil when none is declared.
  private var declaredOutput: String? {
    guard declaration.result.target != nil, let output = flow.outputPath, !output.hasPrefix("records/") else {
      return nil
    }
    return output
  }

  /// The name of the response from which a record was read.
  private func response(
    _ difference: GoldenDifference, _ records: GoldenRecords, _ origins: RecordOrigins
  ) -> String? {
    guard let key = difference.key, difference.kind != .removed,
      let record = records.records.first(where: { $0.key == key }),
      let number = origins.entry(of: record.value, key: keys), let entry = tape.cassette?.entries[number - 1]
    else { return nil }
    return "entry \(number) (\(entry.request.line))"
  }
}

extension TypeDeclaration {
  /// The type's name in the flow language, with the values of an enumeration.
  var word: String {
    switch self {
    case .enumeration(let values): "enum(\(values.joined(separator: ", ")))"
    case .list(let element): "list of \(element.word)"
    case .object(let fields): "object(\(fields.map { "\($0.name): \($0.type.word)" }.joined(separator: ", ")))"
    default: name
    }
  }
}
