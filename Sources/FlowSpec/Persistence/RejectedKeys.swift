enum RejectedKeys {
  static let construct = Construct(
    .rejected, noun: "'rejected'", "Where the rejected records of a flow are stored.",
    shortForm: .init(
      .outputPath, "A path alone stores them in a file.", examples: ["out/customers.rejected.jsonl"]),
    fields: [path, store, table],
    frame: .flow(
      "resource: /customers\nschema: { key: id, fields: { id: integer } }\nrejected:\n  ◆",
      supplies: ["path: out/customers.rejected.jsonl"], alternatives: ["path": "table"]))

  static let target = TargetKeys(owner: "rejected", path: path, store: store, table: table)

  static let path = Field(
    "path", .rejectedPath, default: "none: a file or a table is required",
    "The file, relative to the output root: JSON Lines.", secrets: .refused, edit: .keepsResult,
    examples: ["path: out/customers.rejected.jsonl"],
    mistakes: [
      "path: ↓out/customers.rejected.json": .invalidOutput, "path: ↓../rejected.jsonl": .invalidOutput,
      "path: \"out/{{ ↓parent.id }}.jsonl\"": .templateUnknownRoot,
    ])

  static let store = Field(
    "store", .storeReference, default: "none", "The database of the table: a name in the file's `stores`.",
    details: """
      If the result goes to a table of the same store, records and rejected records are stored in one transaction.
      """, edit: .keepsResult, examples: ["store: shop\ntable: rejected_customers"],
    mistakes: ["store: ↓shopp\ntable: rejected_customers": .unknownStore])

  static let table = Field(
    "table", .tableName, default: "none", "The table, in the database of `store`.",
    details: """
      The first run creates it. Its columns are the members of a line in a file of rejected records: `flow`, `page`, \
      `index`, `pointer`, `rule`, `reason`, `status`, `request`, `batch`, `each`, `record_bytes`, `record_text`, \
      `record`, `key`, `cursor` and `parents`. Each flow has its own table.
      """, secrets: .refused, edit: .keepsResult, examples: ["table: rejected_customers\nstore: shop"],
    mistakes: [
      "store: shop\ntable: ↓reactor_loads": .invalidTable, "↓table: rejected\npath: out/a.jsonl": .misplacedKey,
    ])
}
