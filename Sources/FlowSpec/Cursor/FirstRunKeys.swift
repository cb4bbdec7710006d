enum FirstRunKeys {
  static let construct = Construct(
    .firstRun, noun: "'first_run'", "The request of the first run, for a server that gives changes in another way.",
    details: """
      It is sent while `cursor` has no position: in the first run, with `--full-refresh`, and after a run that found \
      nothing. With `each`, it is sent for each parent that has no position yet. These keys describe its response; none of them is taken over from the flow. All other keys of the flow \
      apply, the schema and the persistence among them. The range is not cut into slices, and it is in the request only \
      where its templates use `cursor.start` and `cursor.end`. `expect.total` does not apply. A retry of rejected \
      records sends the flow's own request.
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
    "again_after", .whole(.age), default: "never",
    "The age of a position from which on the request of the first run is sent again.",
    details: """
      For servers that keep changes for a limited time only: where the last run is longer ago, the changes since then are \
      not all there any more. The position does not count then, as in a first run. Needs a cursor of times and `mode: \
      merge`.
      """, edit: .keepsResult, examples: ["again_after: P30D"],
    mistakes: ["again_after: ↓soon": .invalidDuration, "again_after: ↓0s": .outOfRange])

  static let condition = Field(
    "where", .condition, default: "every record", "A condition on records of the first run: an expression.",
    details: "It has the same names as the `where` of a flow.", secrets: .refused, edit: .asksAnew,
    examples: ["where: source.status == 'active'", "where: record.id > 100"],
    mistakes: ["where: ↓recrd.id > 1": .templateUnknownRoot, "where: record.↓idd > 1": .expressionName])
}
