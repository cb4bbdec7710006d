internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum StoreKeys {
  static let construct = Construct(
    .store, noun: "a store", "A database whose tables contain results.",
    details: """
      Declare exactly one of `sqlite` and `postgres`. A load is one transaction: the records, the cursor, what the table \
      was loaded with (`reactor_tables`) and a row of history (`reactor_loads`). It is stored as a whole or not at all.
      """, fields: [sqlite, postgres, schema, lockTimeout, statementTimeout, connections],
    requirements: [
      .excludes([postgres], sqlite, code: .misplacedKey, help: "declare a store for each database") { _, _ in
        "a store is one database, either 'sqlite' or 'postgres'"
      },
      .excludes(
        [schema, statementTimeout, connections], sqlite, unless: postgres, code: .misplacedKey,
        help: "leave it out: SQLite has no such setting"
      ) { key, _ in "'\(key)' needs 'postgres'" },
    ],
    frame: .init(
      """
      reactor: 1
      secrets: [DATABASE_URL]
      http: { base_url: https://api.example.com }
      stores:
        shop:
          ◆
      flows: { orders: { resource: /orders } }
      """, supplies: ["sqlite: out/shop.db"], alternatives: ["sqlite": "postgres"]))

  static let sqlite = Field(
    "sqlite", .databasePath, default: "none", "The SQLite file, relative to the output root.",
    details: "The first load creates it, in write-ahead mode. Its name ends with `.db`, `.sqlite` or `.sqlite3`.",
    secrets: .refused, edit: .movesResult, examples: ["sqlite: out/shop.db"],
    mistakes: ["sqlite: ↓../shop.db": .invalidOutput, "sqlite: ↓out/shop.jsonl": .invalidOutput])

  static let postgres = Field(
    "postgres", .databaseURL, default: "none", "The connection URI of a PostgreSQL server, as `libpq` reads it.",
    details: """
      Environment variables such as `PGSERVICE` and `PGSSLMODE`, password files and sockets work as in every program of \
      PostgreSQL. The URI is masked in all output.
      """, edit: .movesResult, examples: ["postgres: \"{{ secrets.DATABASE_URL }}\"", "postgres: postgresql:///shop"],
    mistakes: [
      "postgres: ↓postgresql://shop:tea@db.example.com/shop": .plainCredential,
      "postgres: ↓https://db.example.com/shop": .invalidURL,
    ])

  static let schema = Field(
    "schema", .name(.variable), default: "public", "The PostgreSQL schema of the tables. It must exist.",
    edit: .movesResult, examples: ["postgres: postgresql:///shop\nschema: sales"],
    mistakes: ["postgres: postgresql:///shop\nschema: ↓my-sales": .invalidName, "↓schema: sales": .misplacedKey])

  static let lockTimeout = Field(
    "lock_timeout", .duration(0.001...3_600), default: "10s", "How long a statement waits for a lock.",
    edit: .keepsResult, examples: ["lock_timeout: 1m"], mistakes: ["lock_timeout: ↓0s": .outOfRange])

  static let statementTimeout = Field(
    "statement_timeout", .duration(0.001...86_400), default: "none: the flow's deadline",
    "How long one statement may run, in PostgreSQL.", edit: .keepsResult,
    examples: ["postgres: postgresql:///shop\nstatement_timeout: 10m"],
    mistakes: ["↓statement_timeout: 1m": .misplacedKey])

  static let connections = Field(
    "concurrency", .integer(1...100), default: "4", "The maximum number of connections at once, in PostgreSQL.",
    details: "A flow needs a connection only while it looks up its result and while it loads.", edit: .keepsResult,
    examples: ["postgres: postgresql:///shop\nconcurrency: 2"],
    mistakes: ["↓concurrency: 2": .misplacedKey, "postgres: postgresql:///shop\nconcurrency: ↓0": .outOfRange])
}

extension FlowReader {
  /// Reads the stores of a file by their names. `mayHaveMore` is true when some could not be read.
  mutating func stores(
    _ value: FieldValue?
  ) -> (stores: [Store<Located<Template>>], names: [String], mayHaveMore: Bool) {
    guard let value, !value.node.isNull else { return ([], [], false) }
    let members = members(of: value, role: .variable) ?? []
    let stores = members.compactMap { store($0.value, named: Located($0.name, at: $0.key.range), in: value.scope) }
    return (stores, members.map(\.name), Self.count(of: value.node) != members.count)
  }

  private mutating func store(
    _ node: YAMLNode, named name: Located<String>, in scope: Scope
  ) -> Store<Located<Template>>? {
    guard let nodes = open(node, as: StoreKeys.construct, owner: name.range, scope: scope) else { return nil }
    let (isFile, isServer) = (nodes.key(StoreKeys.sqlite) != nil, nodes.key(StoreKeys.postgres) != nil)
    let (sqlite, postgres) = (read(StoreKeys.sqlite, of: nodes), read(StoreKeys.postgres, of: nodes))
    let schema = read(StoreKeys.schema, of: nodes)
    let lockTimeout = read(StoreKeys.lockTimeout, of: nodes)?.value
    let statementTimeout = read(StoreKeys.statementTimeout, of: nodes)?.value
    let connections = read(StoreKeys.connections, of: nodes)?.value
    if isFile, isServer { return nil }
    guard isFile || isServer else {
      guard nodes.isLeftOut(StoreKeys.sqlite), nodes.isLeftOut(StoreKeys.postgres) else { return nil }
      return fail(
        .missingKey, "store '\(name.value)' names no database", at: name.range,
        help: "add 'sqlite: out/\(name.value).db' or 'postgres: \"{{ secrets.DATABASE_URL }}\"'")
    }
    let location: Store<Located<Template>>.Location
    if let sqlite {
      location = .sqlite(sqlite)
    } else if let postgres {
      location = .postgres(postgres, schema: schema?.value ?? "public")
    } else {
      return nil
    }
    var store = Store(name.value, at: location)
    if let lockTimeout { store.lockTimeout = Int(lockTimeout * 1000) }
    if let statementTimeout { store.statementTimeout = Int(statementTimeout * 1000) }
    if let connections { store.connections = connections }
    return store
  }

  /// Reads the path of an SQLite file.
  mutating func databasePath(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    let text = template.value.segments.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    do throws(URLSyntaxError) {
      try OutputPathText.check(text, endings: OutputPathText.databaseExtensions)
      return template
    } catch {
      return fail(.invalidOutput, error.message, at: value.node.range, help: error.help)
    }
  }

  /// Reads the connection URI of a server. The file should not contain its password.
  mutating func databaseURL(_ value: FieldValue) -> Located<Template>? {
    guard let template = filled(value) else { return nil }
    guard case .text(let start)? = template.value.segments.first else { return template }
    guard ["postgresql://", "postgres://"].contains(where: start.hasPrefix) || start.contains("=") else {
      return fail(
        .invalidURL, "'\(printable(start))' is not a connection URI of PostgreSQL", at: value.node.range,
        help: "write 'postgresql://USER@HOST/DATABASE', or keyword=value pairs")
    }
    if let text = template.value.constantText, Self.hasPassword(text) {
      report(
        .plainCredential, "the password of the store is written in the file", at: value.node.range,
        help: "declare a secret and write {{ secrets.NAME }}, or use a password file (~/.pgpass)")
    }
    return template
  }

  private static func hasPassword(_ text: String) -> Bool {
    if text.contains("password=") { return true }
    guard let start = text.firstRange(of: "://") else { return false }
    let authority = text[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    return authority.lastIndex(of: "@").map { authority[..<$0].contains(":") } ?? false
  }
}
