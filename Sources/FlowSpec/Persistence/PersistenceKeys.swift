internal import FlowModel

enum PersistenceKeys {
  static let construct = Construct(
    .persistence, noun: "'persistence'", "Where a flow's result is persisted.",
    shortForm: .init(
      .outputPath, words: ["disabled"],
      "A path alone persists the result there; `disabled` persists nothing.",
      examples: ["out/customers.jsonl", "disabled"]),
    fields: [
      path, store, table, contract, history, flatten, mode, duplicates, deleteWhen, expiresAfter, failOnSaveError,
    ],
    frame: .flow(
      "resource: /customers\nschema: { key: id, fields: { id: integer } }\npersistence:\n  ◆",
      supplies: ["path: out/customers.jsonl"], alternatives: ["path": "table"]))

  static let target = TargetKeys(
    owner: "persistence", path: path, store: store, table: table, ofTables: [contract, history, flatten])

  static let store = Field(
    "store", .storeReference, default: "none", "The database of the result: a name in the file's `stores`.",
    edit: .movesResult, examples: ["store: shop\ntable: customers", "store: archive\ntable: customers"],
    mistakes: ["store: ↓shopp\ntable: customers": .unknownStore])

  static let table = Field(
    "table", .tableName, default: "none", "The table of the result, in the database of `store`.",
    details: """
      The first load creates it: one column for each field of the schema, with the key as its primary key (an index with \
      `mode: append`). Later loads add a column for a new field and widen a column where no value is lost; any other \
      difference is an error, and nothing is loaded. Names are quoted, so every name that the database can hold is \
      allowed.
      """, secrets: .refused, edit: .movesResult,
    examples: ["table: customers\nstore: shop", "table: \"customers_{{ vars.region }}\"\nstore: shop"],
    mistakes: [
      "store: shop\ntable: ↓reactor_loads": .invalidTable, "↓table: customers\npath: out/a.jsonl": .misplacedKey,
    ])

  static let contract = Field(
    "contract", .choice(["evolve", "freeze"]), default: "evolve",
    "Whether a load may add and widen the columns of its table.",
    details: "With `freeze` a table that does not fit the schema is an error with the SQL that a person could run.",
    edit: .keepsResult, examples: ["contract: freeze\nstore: shop\ntable: customers"],
    mistakes: ["store: shop\ntable: customers\ncontract: ↓frozen": .unknownValue])

  static let history = Field(
    "history", .boolean, default: "false", "Whether old versions of the rows of a table stay.",
    details: """
      Each row has `valid_from` and `valid_to`. A row that changes or goes gets an end, `valid_to`, and the new version \
      begins at that time; of present rows it is null. A row whose values are the same keeps its version. Flows that use \
      the result read the present rows. Needs a key, and `mode: replace` or `merge`.
      """, edit: .keepsResult,
    examples: ["history: true\nstore: shop\ntable: customers"],
    mistakes: [
      "store: shop\ntable: customers\nhistory: ↓yes": .invalidBoolean,
      "path: out/customers.jsonl\n↓history: true": .misplacedKey,
    ])

  static let flatten = Field(
    "flatten", .choice(["_", "__"]), default: "none: an object is one column with JSON",
    "Makes a field of each field of an object; the names are joined by this text.",
    details: """
      A field `address` of type object with the fields `city` and `zip` becomes the fields `address_city` and \
      `address_zip`, in the record too: expressions use these names. A field of an object that may be missing may be \
      missing. Lists and fields of type json stay as they are.
      """, edit: .asksAnew,
    examples: ["flatten: _\nstore: shop\ntable: customers"],
    mistakes: [
      "store: shop\ntable: customers\nflatten: ↓dot": .unknownValue,
      "path: out/customers.jsonl\n↓flatten: _": .misplacedKey,
    ])

  static let expiresAfter = Field(
    "expires_after", .duration(0.001...3_153_600_000), default: "never",
    "How long a result may be used before it is requested again.", edit: .keepsResult,
    examples: ["expires_after: 1h", "expires_after: P7D"],
    mistakes: ["expires_after: ↓1 hour": .invalidDuration, "expires_after: ↓P1M": .invalidDuration])

  static let failOnSaveError = Field(
    "fail_on_save_error", .boolean, default: "true", "Whether a failed save fails the flow.",
    details: "With false the failure is reported and the flow passes with its records.", edit: .keepsResult,
    examples: ["fail_on_save_error: false"],
    mistakes: ["fail_on_save_error: ↓0": .invalidBoolean, "↓fail_on_save_eror: true": .unknownKey])

  static let path = Field(
    "path", .outputPath, default: "none: a file or a table is required",
    "The file, relative to the output root; its extension names the format.",
    details: """
      `.json` (one array), `.jsonl` (one record a line) or `.csv`; `.gz` or `.zst` behind it compresses the file, as in \
      `.jsonl.gz`. The file must be below the root, and no two flows may write the same one. With fields of the record in \
      its path (`{{ record.country }}`) the result has several files, `.jsonl` or `.csv`; the flow needs a schema and \
      `mode: replace`.
      """, secrets: .refused, edit: .movesResult,
    examples: [
      "path: out/customers.jsonl", "path: \"out/{{ vars.region }}/customers.csv\"", "path: out/customers.jsonl.gz",
      "path: \"out/customers/{{ record.id }}.jsonl\"",
    ],
    mistakes: [
      "path: ↓out/customers.jsonx": .invalidOutput, "path: ↓out/customers.gz": .invalidOutput,
      "path: ↓../customers.json": .invalidOutput,
      "path: ↓/tmp/customers.json": .invalidOutput,
      "path: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"": .templateSecretNotAllowed,
      "path: \"out/{{ record.↓idd }}.jsonl\"": .expressionName,
    ])

  static let mode = Field(
    "mode", .choice(of: PersistenceMode.self), default: "replace",
    "What happens to the existing records.",
    details: """
      `merge` needs a schema with a `key`: a new record replaces the old one with its key, records with new keys \
      follow at the end, other old records stay, and among records with one key in one pull the last wins. `append` \
      adds all new records at the end. In every mode the file is replaced in one step. A file that does not fit the \
      schema is an error and does not change.
      """, edit: .asksAnewWithoutCursor, examples: ["mode: merge", "mode: append"],
    mistakes: ["mode: ↓upsert": .unknownValue])

  static let duplicates = Field(
    "duplicates", .choice(["keep", "last"]), default: "keep: every record is persisted",
    "What becomes of records with one key in one pull, with `mode: replace`: all are kept, or only the last one.",
    details: """
      Needs a `path`, and a schema with a `key`. The order is that of the records that stay. \
      Pages that move while they are read, and parents with common children, give records twice. With `each` it needs \
      `on_error: fail`: which earlier records belong to a failed parent is not known. A merge keeps the last record \
      always, and so does a table with a key.
      """, edit: .asksAnewWithoutCursor, examples: ["duplicates: last\npath: out/customers.jsonl"],
    mistakes: [
      "path: out/customers.jsonl\nduplicates: ↓first": .unknownValue,
      "path: out/customers.jsonl\nmode: merge\n↓duplicates: last": .misplacedKey,
      "store: shop\ntable: customers\n↓duplicates: last": .misplacedKey,
    ])

  static let deleteWhen = Field(
    "delete_when", .condition, default: "nothing is deleted", "The condition for deleted records, with `mode: merge`.",
    details: """
      `source` is the record as received. Only the key of a deleted record must fit the schema. The record with that \
      key is removed from the result, and the deleting record counts as left out. Within one pull the later record \
      wins.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "mode: merge\ndelete_when: coalesce(source.deleted, false)", "mode: merge\ndelete_when: has(source.deleted_at)",
    ],
    mistakes: [
      "↓delete_when: source.deleted": .misplacedKey, "mode: merge\ndelete_when: ↓record.deleted": .templateUnknownRoot,
      "mode: merge\ndelete_when: ↓1 + 1": .expressionType,
    ])
}
