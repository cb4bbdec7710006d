internal import FlowTerms
/// The keys of `persistence`.
enum PersistenceKeys {
  static let construct = Construct(
    .persistence, noun: "'persistence'", "Where a flow's result is kept.",
    shortForm: .init(
      .outputPath, words: ["disabled"],
      "A path alone keeps the result there; `disabled` keeps nothing.", examples: ["out/customers.jsonl", "disabled"]),
    fields: [path, mode, deleteWhen, expiresAfter, failOnSaveError],
    frame: .flow(
      "resource: /customers\nschema: { key: id, fields: { id: integer } }\npersistence:\n  ◆",
      supplies: ["path: out/customers.jsonl"]))

  static let expiresAfter = Field(
    "expires_after", .duration(0.001...3_153_600_000), default: "never",
    "How long a result may be used before the server is asked again.", edit: .keepsResult,
    examples: ["expires_after: 1h", "expires_after: P7D"],
    mistakes: ["expires_after: ↓1 hour": .invalidDuration, "expires_after: ↓P1M": .invalidDuration])

  static let failOnSaveError = Field(
    "fail_on_save_error", .boolean, default: "true", "Whether a failed save fails the flow.",
    details: "With false the failure is reported and the flow passes with its records.", edit: .keepsResult,
    examples: ["fail_on_save_error: false"],
    mistakes: ["fail_on_save_error: ↓0": .invalidBoolean, "↓fail_on_save_eror: true": .unknownKey])

  static let path = Field(
    "path", .outputPath, default: .required, "The file, relative to the output root; its extension names the format.",
    details: """
      `.json` (one array), `.jsonl` (one record a line) or `.csv`. The file must lie below the root, and no two flows \
      may write the same one.
      """, secrets: .refused, edit: .movesResult,
    examples: ["path: out/customers.jsonl", "path: \"out/{{ vars.region }}/customers.csv\""],
    mistakes: [
      "path: ↓out/customers.jsonx": .invalidOutput, "path: ↓../customers.json": .invalidOutput,
      "path: ↓/tmp/customers.json": .invalidOutput,
      "path: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"": .templateSecretNotAllowed,
    ])

  static let mode = Field(
    "mode", .choice(of: PersistenceMode.self), default: "replace",
    "What becomes of the records that are there already.",
    details: """
      `merge` needs a schema with a `key`: a new record takes the place of the old one with its key, new keys come \
      behind, old records that are not in the response stay, and of records with one key in one pull the last is kept. \
      `append` puts all new records behind the old ones. The file is replaced in one step in every mode; one that does \
      not fit the schema is an error, and stays as it is.
      """, edit: .asksAnewWithoutCursor, examples: ["mode: merge", "mode: append"],
    mistakes: ["mode: ↓upsert": .unknownValue])

  static let deleteWhen = Field(
    "delete_when", .condition, default: "nothing is deleted", "What a record says that is gone, with `mode: merge`.",
    details: """
      `source` is the record as it came. Of one that is gone only the key must fit the schema; the record with that \
      key is taken out of the result, and the one that said so counts as left out. In one pull the later record \
      counts.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "mode: merge\ndelete_when: coalesce(source.deleted, false)", "mode: merge\ndelete_when: has(source.deleted_at)",
    ],
    mistakes: [
      "↓delete_when: source.deleted": .misplacedKey, "mode: merge\ndelete_when: ↓record.deleted": .templateUnknownRoot,
      "mode: merge\ndelete_when: ↓1 + 1": .expressionType,
    ])
}
