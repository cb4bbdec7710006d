import Importing
import Testing

/// Fields that transformations add and remove.
@Suite(.timeLimit(.minutes(1))) struct AddedFieldImportTests {
  private static func changed(
    _ steps: String, fields: String = "id: { type: integer }, a: { type: string }, n: { type: integer }",
    stream: String = ""
  ) -> String {
    Manifest.with(
      Manifest.stream(stream: "transformations: [\(steps)]\(stream.isEmpty ? "" : "\n" + stream)", fields: fields))
  }
  private static func added(_ fields: String, more: String = "") -> String {
    "{ type: AddFields, fields: [\(fields)]\(more) }"
  }
  /// A stream without a schema.
  private static func plain(_ steps: String) -> String {
    Manifest.with(
      Manifest.stream(stream: "transformations: [\(steps)]").replacing(#/schema: \{ .* \} \}/#, with: "schema: {} }"))
  }
  private static func cursor(_ cursor: String, _ fields: String, declared: String = "") -> String {
    changed(
      added(fields), fields: "id: { type: integer }\(declared)",
      stream:
        "incremental_sync: { type: DatetimeBasedCursor, cursor_field: at, start_datetime: \"{{ config['start_date'] }}\", start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }, \(cursor) }"
    )
  }

  @Test(arguments: nested + conditions + values + removed + cursors)
  func `fields are added and removed`(_ test: ImportCase) throws { test.verify(try Imported(test.source)) }

  // MARK: - Members of objects

  private static let seconds =
    "{ path: [meta, seconds], value: \"{{ (str_to_datetime(record['b']) - str_to_datetime(record['a'])).total_seconds() }}\", value_type: number }"

  static let nested = [
    ImportCase(
      "a computed member of a declared object",
      changed(
        added(seconds),
        fields: "id: { type: integer }, meta: { type: object, properties: { kind: { type: string } } }"),
      has: [
        "value: \"{{ merge(coalesce(source.meta, {}), {'seconds': float(timestamp(coalesce(source.b, ''), 'iso8601_utc') - timestamp(coalesce(source.a, ''), 'iso8601_utc'))}) }}\"",
        "type: object",
        "            kind: string?\n            seconds: json?",
      ]),
    ImportCase(
      "a member of an object that is not declared", changed(added(seconds)),
      has: ["merge(coalesce(source.meta, {}), {'seconds': ", "type: json"]),
    ImportCase(
      "a member of an inner object", changed(added("{ path: [x, y, z], value: \"{{ record.n + 1 }}\" }")),
      has: [
        "merge(coalesce(source.x, {}), {'y': merge(coalesce(source.x.y, {}), {'z': coalesce(source.n, 0) + 1})})"
      ]),
    ImportCase(
      "a member that may be null",
      changed(added("{ path: [x, y], value: \"{{ record.n | int if record.n else none }}\" }")),
      has: ["merge(coalesce(source.x, {}), {'y': coalesce("]),
    ImportCase(
      "a member that moves out of an object",
      changed(
        added("{ path: [who], value: \"{{ record.a.id }}\" }") + ", { type: RemoveFields, field_pointers: [[a, id]] }",
        fields: "id: { type: integer }, a: { type: object }"),
      has: [
        "who: { from: $.a.id",
        "type(source.a) == 'map' ? without(coalesce(source.a, {}), 'id') : coalesce(source.a, null)",
      ], lacks: ["remove:"]),
    ImportCase(
      "a member that moves out of a declared object",
      changed(
        added("{ path: [who], value: \"{{ record.a.id }}\" }") + ", { type: RemoveFields, field_pointers: [[a, id]] }",
        fields:
          "id: { type: integer }, a: { type: object, properties: { id: { type: string }, kind: { type: string } } }"),
      has: ["who: { from: $.a.id", "kind: string?"], lacks: ["remove:", "without("]),
    ImportCase(
      "two members of one object",
      changed(
        added("{ path: [x, y], value: \"{{ record.n + 1 }}\" }, { path: [x, z], value: \"{{ record.n + 2 }}\" }")),
      has: [
        "merge(merge(coalesce(source.x, {}), {'y': coalesce(source.n, 0) + 1}), {'z': coalesce(source.n, 0) + 2})"
      ]),
    ImportCase(
      "a member on a condition",
      changed(
        added("{ path: [x, y], value: \"{{ record.n + 1 }}\" }", more: ", condition: \"{{ config.region == 'eu' }}\"")),
      has: [
        "vars.region == 'eu' ? merge(coalesce(source.x, {}), {'y': coalesce(source.n, 0) + 1}) : coalesce(source.x, null)"
      ]),
    ImportCase(
      "a member without a schema", plain(added("{ path: [x, y], value: \"{{ record.n + 1 }}\" }")),
      has: ["add: { x: \"{{ merge(coalesce(source.x, {}), {'y': coalesce(source.n, 0) + 1}) }}\" }"]),
    ImportCase(
      "a member of a text", changed(added("{ path: [a, y], value: \"{{ record.n + 1 }}\" }")), losses: [.transformation]
    ),
    ImportCase(
      "a plain member", changed(added("{ path: [x, y], value: '5' }, { path: [x, z], value: b }")),
      has: [".[\\\"x\\\"][\\\"y\\\"] = 5 | .[\\\"x\\\"][\\\"z\\\"] = \\\"b\\\""]),
  ]

  // MARK: - Conditions and order

  static let conditions = [
    ImportCase(
      "a field from one that was added before",
      changed(added("{ path: [b], value: \"{{ record.n * 2 }}\" }, { path: [c], value: \"{{ record['b'] + 1 }}\" }")),
      has: ["c: { value: \"{{ coalesce(record.b, 0) + 1 }}\""], lacks: ["source.b"]),
    ImportCase(
      "a field that is not the one added before",
      changed(added("{ path: [b], value: \"{{ record.n * 2 }}\" }, { path: [c], value: \"{{ record['bc'] }}\" }")),
      has: ["c: { from: $.bc"]),
    ImportCase(
      "a field that is added from itself",
      changed(added("{ path: [b], value: \"{{ record.n * 2 }}\" }, { path: [b], value: \"{{ record['b'] + 1 }}\" }")),
      losses: [.transformation]),
    ImportCase(
      "a field on a condition that is false",
      changed(added("{ path: [b], value: x }", more: ", condition: \"{{ false }}\"")), lacks: [" b: "]),
    ImportCase(
      "a field if a value is a number",
      changed(added("{ path: [b], value: \"{{ (record['n'] - 1) if record.get('n') is number else None }}\" }")),
      has: ["type(source.n) in ['int', 'double', 'bool'] ? coalesce(source.n, 0) - 1 : null"]),
  ]

  static let values = [
    ImportCase(
      "one value and another", changed(added("{ path: [c], value: \"{{ record.get('a') and record['a']['b'] }}\" }")),
      has: [
        "[], {}]) ? coalesce(source.a.b, null) : coalesce(source.a, null) }}"
      ]),
    ImportCase(
      "a member by a name in the record", changed(added("{ path: [c], value: \"{{ record['map'][record['n']] }}\" }")),
      has: ["value: \"{{ coalesce(source.map[source.n], null) }}\""]),
    ImportCase(
      "an element by its index", changed(added("{ path: [c], value: \"{{ record['l'][0]['n'] }}\" }")),
      has: ["from: \"$.l[0].n\""]),
    ImportCase(
      "a list of values that may be missing", changed(added("{ path: [c], value: \"{{ [record.a, record.b] }}\" }")),
      has: ["[coalesce(source.a, null), coalesce(source.b, null)]"]),
    ImportCase(
      "today", changed(added("{ path: [c], value: \"{{ today_utc() }}\" }")), has: ["{{ format(today(), '%Y-%m-%d') }}"]
    ),
  ]

  // MARK: - Removal

  static let removed = [
    ImportCase(
      "a field on a condition of the configuration",
      changed("{ type: RemoveFields, field_pointers: [[a], [none]], condition: \"{{ config.region == 'eu' }}\" }"),
      has: [
        "value: \"{{ vars.region == 'eu' ? null : coalesce(source.a, null) }}\", type: string? }"
      ],
      lacks: ["none"]),
    ImportCase(
      "an added field on a condition",
      changed(
        added("{ path: [b], value: \"{{ record.n + 1 }}\" }")
          + ", { type: RemoveFields, field_pointers: [[b]], condition: \"{{ config.size > 5 }}\" }"),
      has: ["value: \"{{ vars.size > 5 ? null : coalesce(source.n, 0) + 1 }}\""]),
    ImportCase(
      "the key stays",
      changed("{ type: RemoveFields, field_pointers: [[id]], condition: \"{{ config.region == 'eu' }}\" }"),
      has: ["id: integer"]),
    ImportCase(
      "a field without a schema",
      plain("{ type: RemoveFields, field_pointers: [[a]], condition: \"{{ config.region == 'eu' }}\" }"),
      losses: [.transformation]),
    ImportCase(
      "a member of an object",
      changed("{ type: RemoveFields, field_pointers: [[a, b]], condition: \"{{ config.region == 'eu' }}\" }"),
      losses: [.transformation]),
    ImportCase(
      "a condition with a secret",
      changed("{ type: RemoveFields, field_pointers: [[a]], condition: \"{{ config['api_key'] == 'a' }}\" }"),
      losses: [.transformation]),
    ImportCase(
      "a condition that is true", changed("{ type: RemoveFields, field_pointers: [[a]], condition: \"{{ true }}\" }"),
      lacks: [" a: "]),
  ]

  // MARK: - The cursor's field

  static let cursors = [
    ImportCase(
      "seconds that are computed",
      cursor(
        "cursor_datetime_formats: ['%s'], datetime_format: '%Y-%m-%dT%H:%M:%SZ'",
        "{ path: [at], value: \"{{ (record['created'] | int) // 1000 }}\", value_type: integer }"),
      has: ["value: \"{{ timestamp(int(coalesce(source.created, 0)) / 1000, 'epoch_s') }}\"\n          type: timestamp"]
    ),
    ImportCase(
      "the start of the range as a day",
      cursor(
        "datetime_format: '%Y-%m-%d'",
        "{ path: [at], value: \"{{ stream_interval.start_time }}\", value_type: string }",
        declared: ", at: { type: string }"),
      has: ["at: { value: \"{{ cursor.start }}\", type: date }", "format: date"]),
    ImportCase(
      "a text in a format of its own",
      cursor("datetime_format: '%d.%m.%Y'", "{ path: [at], value: \"{{ record.day ~ '.' ~ record.month }}\" }"),
      has: ["'%d.%m.%Y') }}\"\n          type: timestamp"]),
    ImportCase(
      "a member of the record",
      cursor("datetime_format: '%s'", "{ path: [at], value: \"{{ record.times.changed }}\" }"),
      has: ["at: { from: $.times.changed, type: timestamp?, format: epoch_s }"]),
  ]
}
