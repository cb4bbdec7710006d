internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum FirstRunKeys {
  static let construct = Construct(
    .firstRun, noun: "'first_run'",
    "The request of the first run, for a server where all records are requested differently from changes.",
    details: """
      It is sent while `cursor` has no position: in the first run, with `--fresh=everything`, and after a run that \
      found nothing. With `each`, it is sent for each parent that has no position yet. The keys below describe this \
      request and its response; none of them is taken from the flow. All other keys of the flow apply, including the \
      schema and the persistence. The range is not cut into slices, and it is in the request only where its templates \
      use `cursor.start` and `cursor.end`. `expect.total` does not apply. A retry of rejected records sends the flow's \
      own request.
      """,
    fields: [
      FlowKeys.resource, FlowKeys.fieldGroups, FlowKeys.decode, FlowKeys.records, FlowKeys.reshape, FlowKeys.change,
      condition, FlowKeys.job, FlowKeys.pages, againAfter,
    ],
    frame: .flow(
      """
      resource: /changes
      schema: { key: id, fields: { id: integer, updated_at: timestamp } }
      persistence: { path: out/customers.jsonl, mode: merge }
      cursor: { field: updated_at, query: since }
      first_run:
        ◆
      """, supplies: ["resource: /customers"]))

  static let againAfter = Field(
    "max_age", .whole(.age), default: "never",
    "The age of a position at which the request of the first run is sent again.",
    details: """
      For servers that keep changes for a limited time only: if the last run was longer ago, the server no longer has \
      some of the changes since then. The position is then ignored, as in a first run. Needs a cursor of times and \
      `mode: merge`.
      """, edit: .keepsResult, examples: ["max_age: P30D"],
    mistakes: ["max_age: ↓soon": .invalidDuration, "max_age: ↓0s": .outOfRange])

  static let condition = Field(
    "where", .condition, default: "every record", "A condition on records of the first run: an expression.",
    details: "It has the same names as the `where` of a flow.", secrets: .refused, edit: .asksAnew,
    examples: ["where: source.status == 'active'", "where: record.id > 100"],
    mistakes: ["where: ↓recrd.id > 1": .templateUnknownRoot, "where: record.↓idd > 1": .expressionName])
}

extension FlowReader {
  /// Reads the request of a flow's first run.
  ///
  /// The flow is read again with the keys of `first_run` instead of its own, so each key is checked together with the
  /// keys that both runs use.
  ///
  /// - Parameter flow: the flow's mapping
  mutating func firstRun(
    _ value: FieldValue, of flow: YAMLNode, name: String, at range: SourceRange, in context: FileContext
  ) -> PullDeclaration? {
    guard let nodes = open(value, as: .firstRun), !nodes.hasError, case .mapping(let mapping) = flow.content,
      case .mapping(let own) = value.node.content
    else { return nil }
    let replaced = Set(FirstRunKeys.construct.fields.map(\.name) + [FlowKeys.firstRun.name])
    let entries =
      mapping.entries.filter { !replaced.contains($0.name) }
      + own.entries.filter { $0.name != FirstRunKeys.againAfter.name }
    var reader = part(1, of: 1)
    reader.isInFirstRun = true
    let read = reader.flow(
      YAMLNode(.mapping(YAMLMapping(entries)), at: value.node.range), name: name, at: range, in: context)
    diagnostics.merge(reader.diagnostics)
    guard let read else { return nil }
    let age = nodes.value(FirstRunKeys.againAfter).flatMap { againAfter($0, read) }
    var pull = read.pull
    pull.cursor?.againAfter = age
    return pull
  }

  private mutating func againAfter(_ value: FieldValue, _ flow: FlowDeclaration) -> Cursor.Distance? {
    guard let text = text(value), let kind = flow.pull.cursor?.kind else { return nil }
    guard kind == .timestamp || kind == .date else {
      return fail(
        .cursorBounds, "'max_age' needs a cursor of times, and the field has type \(kind.rawValue)",
        at: value.node.range, help: "leave it out")
    }
    if flow.result.target != nil, flow.result.mode != .merge {
      return fail(
        .cursorPersistence,
        "'max_age' requests all records again, and 'mode: \(flow.result.mode.rawValue)' would "
          + "store them twice", at: value.node.range, help: "use 'mode: merge'")
    }
    do throws(SettingError) {
      return try .parsing(text, of: kind, for: value.spec.name)
    } catch {
      return fail(error.code, error.message, at: value.node.range, suggestion: error.suggestion, help: error.help)
    }
  }
}

extension Cursor {
  /// A copy of the cursor for a first run with its own request, into which only templates put the range.
  var unbound: Cursor {
    var cursor = self
    cursor.query = nil
    cursor.endQuery = nil
    cursor.slice = nil
    cursor.cap = nil
    cursor.isDescending = false
    cursor.keepsPart = false
    return cursor
  }
}
