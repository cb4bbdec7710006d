/// The keys of a flow that say how a response becomes records.
extension FlowKeys {
  static let decode = Field(
    "decode", .construct(.decode) { $0.decode($1) }, default: "json: one JSON document",
    "The format of the response, if it is not one JSON document.",
    details: "CSV, JSON Lines, XML, plain lines and packed files become records as they arrive.", edit: .asksAnew,
    examples: ["decode: csv", "decode: { format: csv, delimiter: \";\", encoding: latin1 }"],
    mistakes: [
      "decode: ↓cvs": .unknownValue, "decode: { format: csv, ↓separator: \";\" }": .unknownKey,
      "decode: jsonl\n↓records: $.data": .misplacedDecodeKey,
      "decode: xml\nrecords: ↓$..entry": .invalidPath,
    ])

  static let records = Field(
    "records", .recordsPath, default: "the whole response",
    "Where the records are in the response: a JSONPath (RFC 9535).",
    details: """
      An array that a plain path points to (`$.data` or `$.data[*]`) gives its elements, an object at `$.data` is one \
      record, and `null` means no records. Such paths are read as a stream, for a response of any size. A path that \
      finds nothing in a response that is not empty is an error. An empty response is an error too, with two \
      exceptions that mean no records: its status is 204 or 205, or the request sent something (POST, PUT, PATCH, \
      DELETE) and the flow has neither `records` nor `schema`. Other paths, with `..`, filters or wildcards in the \
      middle, keep the response in memory, at most 32 MiB. A variable can be part of a quoted name in the path: \
      `$.data['{{ vars.region }}']`.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["records: $.data[*]", "records: $[*]", "records: \"$.data['{{ vars.region }}'][*]\""],
    mistakes: [
      "records: ↓data": .invalidPath, "records: $.data[↓x]": .invalidPath,
      "records: ↓\"$.data['{{ vars.region }}'[*]\"": .invalidPath,
    ])

  static let reshape = Field(
    "reshape", .construct(.reshape) { $0.reshape($1) }, default: "none",
    "A jq program for responses in which no path finds the records.",
    details: "It reads the whole response, or with `{ each: … }` one record after the other.", secrets: .refused,
    edit: .asksAnew,
    examples: ["reshape: \".groups[].members[]\"", "reshape: { each: \".id as $id | .lines[] | {order: $id, sku}\" }"],
    mistakes: ["reshape: \".groups[↓\"": .invalidProgram, "reshape: { ↓eech: . }": .unknownKey])

  static let change = Field(
    "change", .construct(.change) { $0.change($1) }, default: "nothing",
    "What is changed in each record before it is mapped.", edit: .byItsKeys,
    examples: ["change: { flatten: true, remove: [$.internal] }"],
    mistakes: ["change: ↓flatten": .wrongKind, "change: { ↓drop: [$.internal] }": .unknownKey])

  static let schema = Field(
    "schema", .whole(.schemaReference), default: "none: records are stored as received",
    "How records are mapped: a schema's name, or a schema written here.", edit: .asksAnew,
    examples: ["schema: customer", "schema: { fields: { id: integer, name: string } }"],
    mistakes: ["schema: ↓custmer": .unknownSchema, "schema: ↓[customer]": .wrongKind])

  static let condition = Field(
    "where", .condition, default: "every record", "A condition on records: an expression. Other records are left out.",
    details: """
      `record` is the record after the schema, `source` the record as received; without a schema the types of their \
      members are unknown. A record that is left out is neither stored nor rejected, and `expect.total` and pages \
      count it. An expression that uses `source` alone is evaluated before the record is mapped, so a record that is \
      left out need not fit the schema. It can also use the names of `each`, and `cursor.start` and `cursor.end`: the \
      bounds of the requested range, as a timestamp, an integer or a text (also for dates). `cursor.position` is what \
      the last run reached, and null in the first run.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "where: source.status == 'active'",
      "schema: { fields: { id: integer, city: string? } }\nwhere: coalesce(record.city, '') != ''",
    ],
    mistakes: [
      "where: ↓recrd.id > 1": .templateUnknownRoot, "where: record.id >↓": .expressionSyntax,
      "schema: customer\nwhere: record.↓idd > 1": .expressionName,
      "schema: customer\nwhere: ↓record.id": .expressionType,
      "schema: customer\nwhere: \"{{ record.id ↓}} > 1\"": .expressionSyntax,
    ])

  static let prune = Field(
    "prune", .boolean, default: "true", "Whether bad records are dropped and reported (true) or fail the flow (false).",
    details: """
      A response with only bad records fails the flow in both cases, and nothing is stored. A flow with a `cursor` and \
      without `rejected` fails in both cases, because no later run requests the bad records again; \
      `expect.max_rejected` allows some.
      """, edit: .asksAnew, examples: ["prune: false"], mistakes: ["prune: ↓no": .invalidBoolean])
}
