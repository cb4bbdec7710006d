internal import Expressions
internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum PersistenceKeys {
  static let construct = Construct(
    .persistence, noun: "'persistence'", "Where a flow's result is persisted.",
    shortForm: .init(
      .outputPath, words: ["disabled"],
      "A path alone persists the result in this file; `disabled` persists nothing.",
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
      The first load creates it: one column for each field of the schema, with the key as its primary key (an index \
      with `mode: append`). Later loads add a column for a new field and widen a column where no value is lost; any \
      other difference is an error, and nothing is loaded. Names are quoted, so every name that the database supports \
      is allowed.
      """, secrets: .refused, edit: .movesResult,
    examples: ["table: customers\nstore: shop", "table: \"customers_{{ vars.region }}\"\nstore: shop"],
    mistakes: [
      "store: shop\ntable: ↓reactor_loads": .invalidTable, "↓table: customers\npath: out/a.jsonl": .misplacedKey,
    ])

  static let contract = Field(
    "columns", .choice(["evolve", "freeze"]), default: "evolve",
    "Whether a load may add and widen the columns of its table.",
    details: "With `freeze` a table that does not fit the schema is an error that shows the SQL to change the table.",
    edit: .keepsResult, examples: ["columns: freeze\nstore: shop\ntable: customers"],
    mistakes: ["store: shop\ntable: customers\ncolumns: ↓frozen": .unknownValue])

  static let history = Field(
    "history", .boolean, default: "false", "Whether old versions of the rows of a table stay.",
    details: """
      Each row has `valid_from` and `valid_to`. When a row changes or is removed, `valid_to` is set, and the new \
      version begins at that time. In current rows it is null. A row whose values have not changed keeps its version. \
      Flows that use the result read the current rows. Needs a key, and `mode: replace` or `merge`.
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
      `address_zip`, in the record too: expressions use these names. If the object may be missing, each of its fields \
      may be missing too. Lists and fields of type json stay as they are.
      """, edit: .asksAnew,
    examples: ["flatten: _\nstore: shop\ntable: customers"],
    mistakes: [
      "store: shop\ntable: customers\nflatten: ↓dot": .unknownValue,
      "path: out/customers.jsonl\n↓flatten: _": .misplacedKey,
    ])

  static let expiresAfter = Field(
    "expires_after", .lifetime(0.001...3_153_600_000), default: "each run asks the server",
    "How long a persisted result is used instead of a new request to the server.",
    details: """
      Without this key, each run asks the server. With `1h`, runs within an hour after a fetch use the persisted \
      result and say how old it is; with `never` all later runs do. The server is asked anyway if the flow, its \
      parents or its input files have changed, and with `--fresh`.
      """, edit: .keepsResult,
    examples: ["expires_after: 1h", "expires_after: P7D", "expires_after: never"],
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
      `.json` (one array), `.jsonl` (one record a line) or `.csv`; `.gz` or `.zst` after it compresses the file, for \
      example `.jsonl.gz`. The file must be below the root, and no two flows may write the same one. With fields of \
      the record in its path (`{{ record.country }}`) the result has several files, `.jsonl` or `.csv`; the flow needs \
      a schema and `mode: replace`.
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
      `merge` needs a schema with a `key`: a new record replaces the old one with the same key, records with new keys \
      follow at the end, other old records stay, and of several records with the same key in one pull the last one is \
      used. `append` adds all new records at the end. In every mode the file is replaced in one step. A file that does \
      not fit the schema is an error and does not change.
      """, edit: .asksAnewWithoutCursor, examples: ["mode: merge", "mode: append"],
    mistakes: ["mode: ↓upsert": .unknownValue])

  static let duplicates = Field(
    "duplicates", .choice(["keep", "last"]), default: "keep: every record is persisted",
    "What happens to records with the same key in one pull, with `mode: replace`: all are kept, or only the last one.",
    details: """
      Needs a `path`, and a schema with a `key`. The records that are kept stay in their order. A pull can return a \
      record twice if pages shift while they are requested, or if parents have common children. With `each`, \
      `on_error: fail` is required, because it is not known which earlier records belong to a failed parent. A merge \
      always keeps only the last record, and so does a table with a key.
      """, edit: .asksAnewWithoutCursor, examples: ["duplicates: last\npath: out/customers.jsonl"],
    mistakes: [
      "path: out/customers.jsonl\nduplicates: ↓first": .unknownValue,
      "path: out/customers.jsonl\nmode: merge\n↓duplicates: last": .misplacedKey,
      "store: shop\ntable: customers\n↓duplicates: last": .misplacedKey,
    ])

  static let deleteWhen = Field(
    "delete_when", .condition, default: "nothing is deleted",
    "The condition that marks deleted records; for `mode: merge`.",
    details: """
      `source` is the record as received. Only the key of a deleted record must fit the schema. The record with that \
      key is removed from the result, and the record that marks the deletion counts as left out. Of several records \
      with one key in a pull, the last one wins.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "mode: merge\ndelete_when: coalesce(source.deleted, false)", "mode: merge\ndelete_when: has(source.deleted_at)",
    ],
    mistakes: [
      "↓delete_when: source.deleted": .misplacedKey, "mode: merge\ndelete_when: ↓record.deleted": .templateUnknownRoot,
      "mode: merge\ndelete_when: ↓1 + 1": .expressionType,
    ])
}

/// The keys that say where records are stored: a file or a table.
struct TargetKeys: Sendable {
  /// The name of the key that contains the path, or the store and the table, for messages.
  let owner: String
  let path: Field<Located<Template>>
  let store: Field<Located<String>>
  let table: Field<Located<Template>>
  /// Further keys, which are allowed only for a table.
  var ofTables: [any FieldSpec] = []
}

/// Where results and rejected records are stored: a path, or a store and a table.
extension FlowReader {
  /// Reads where records are stored.
  ///
  /// - Parameter scope: the names that the path may use; nil means the names of the mapping
  mutating func target(
    _ nodes: FieldNodes, _ keys: TargetKeys, isFrozen: Bool = false, path scope: Scope? = nil
  ) -> WrittenTarget? {
    let path = read(keys.path, of: nodes, in: scope ?? Self.known(nodes.scope))
    let store = read(keys.store, of: nodes)
    let table = read(keys.table, of: nodes, in: Self.known(nodes.scope))
    let (isInFile, isInTable) = (!nodes.isLeftOut(keys.path), !nodes.isLeftOut(keys.table))
    if isInFile {
      let ofTables: [any FieldSpec] = [keys.table, keys.store] + keys.ofTables
      guard let key = ofTables.lazy.compactMap({ nodes.key($0) }).first else { return path.map { .file($0) } }
      return fail(
        .misplacedKey, "'path' stores the records in a file, so keys for tables cannot be used", at: key,
        help: "leave out 'path', or 'store' and 'table'")
    }
    guard isInTable, !nodes.isLeftOut(keys.store) else {
      guard !nodes.hasError else { return nil }
      let missing = isInTable ? "store" : nodes.isLeftOut(keys.store) ? "path" : "table"
      return fail(
        .missingKey, "'\(missing)' is missing in '\(keys.owner)'", at: nodes.range,
        help: missing == "path" ? "add 'path: out/customers.jsonl', or a 'store' and a 'table'" : "add '\(missing): …'")
    }
    guard let store, let table else { return nil }
    return .table(WrittenTable(table, in: store, isFrozen: isFrozen))
  }

  /// The names whose values are known before the flow runs: neither parents nor pages.
  private static func known(_ scope: Scope) -> Scope {
    var scope = scope.with([])
    scope.mayHaveMore = false
    return scope
  }

  /// Reads where rejected records are stored.
  mutating func rejected(_ flow: FieldNodes, in scope: Scope) -> WrittenTarget? {
    guard let value = flow.value(FlowKeys.rejected, in: Self.known(scope)), !value.node.isNull else { return nil }
    if case .scalar = value.node.content { return read(RejectedKeys.path, short: value).map { .file($0) } }
    guard let nodes = open(value, as: .rejected) else { return nil }
    return target(nodes, RejectedKeys.target)
  }

  /// Reads the name of a store that the file declares.
  mutating func storeReference(_ value: FieldValue) -> Located<String>? {
    guard let name = name(value, role: .variable) else { return nil }
    guard let known = value.scope.file.stores, !known.contains(name.value) else { return name }
    return fail(
      .unknownStore, "store '\(name.value)' is not in this file", at: name.range,
      suggestion: nearest(to: name.value, in: known),
      help: known.isEmpty ? "add 'stores: { \(name.value): { sqlite: out/\(name.value).db } }' to the file" : nil)
  }

  /// Reads the name of a table. Its length is checked when the database is known.
  mutating func tableName(_ value: FieldValue) -> Located<Template>? {
    guard let template = filled(value) else { return nil }
    if let text = template.value.constantText, text.lowercased().hasPrefix("reactor_") {
      return fail(
        .invalidTable, "tables whose names begin with 'reactor_' belong to reactor itself", at: value.node.range,
        help: "choose another name")
    }
    return template
  }

  /// Reads the path of the file for rejected records, whose format is JSON Lines.
  mutating func rejectedPath(_ value: FieldValue) -> Located<Template>? {
    guard !value.node.isNull, let template = outputPath(value) else { return nil }
    guard case .text(let text)? = template.value.segments.last else { return template }
    if text.hasSuffix(".jsonl") { return template }
    return fail(
      .invalidOutput, "the file of rejected records must be JSON Lines", at: value.node.range,
      help: "end the path with '.jsonl'")
  }
}

/// A result that is stored in several files or tables.
extension FlowReader {
  /// Reads a list of files and tables: the first with all keys of `persistence`, the others with the keys of a target.
  mutating func places(
    _ value: FieldValue, _ defaults: FlowDefaults, _ schema: Reading<SchemaDeclaration>
  ) -> ResultStorage<WrittenTarget>? {
    guard let places = elements(of: value), let first = places.first else {
      return fail(
        .missingValue, "'persistence' names no file and no table", at: value.node.range,
        help: "name a file or a table, or write 'persistence: disabled'")
    }
    for place in places where place.word == "disabled" {
      return fail(
        .contradiction, "'disabled' cannot be combined with files or tables", at: place.node.range,
        help: "leave it out, or write 'persistence: disabled'")
    }
    let persistence = persistence(first, defaults, schema)
    let copies = places.dropFirst().map { copy($0, schema) }
    guard var persistence, !copies.contains(where: { $0 == nil }) else { return nil }
    persistence.targets += copies.compactMap { $0 }
    return persistence
  }

  /// Reads a file or table that gets the same records as the first one.
  private mutating func copy(_ value: FieldValue, _ schema: Reading<SchemaDeclaration>) -> WrittenTarget? {
    var target: WrittenTarget?
    if value.node.isScalar {
      let scope = pathScope(value.scope, schema)
      let place = FieldValue(spec: PersistenceKeys.path, node: value.node, key: value.key, scope: scope)
      target = read(PersistenceKeys.path, short: place).map { .file($0) }
    } else {
      guard let nodes = open(value, as: .persistence) else { return nil }
      let ofResult: [any FieldSpec] = [
        PersistenceKeys.mode, PersistenceKeys.duplicates, PersistenceKeys.deleteWhen, PersistenceKeys.expiresAfter,
        PersistenceKeys.failOnSaveError, PersistenceKeys.flatten,
      ]
      for field in ofResult {
        guard let key = nodes.key(field) else { continue }
        return fail(
          .misplacedKey, "'\(field.name)' is allowed only in the first element; the others get its records", at: key,
          help: "write it in the first element of 'persistence'")
      }
      let isFrozen = read(PersistenceKeys.contract, of: nodes) == "freeze"
      target = self.target(
        nodes, PersistenceKeys.target, isFrozen: isFrozen, path: pathScope(nodes.scope, schema))
      if case .table(var table)? = target, read(PersistenceKeys.history, of: nodes) ?? false {
        checkHistory(nodes, .absent, schema)
        table.keepsVersions = true
        target = .table(table)
      }
    }
    check(target, schema)
    if case .table(let table)? = target, let schema = schema.value, !schema.key.isEmpty {
      checkKey(of: schema, at: table.name.range)
    }
    return target
  }
}
