enum StoreKeys {
  static let construct = Construct(
    .store, noun: "a store", "A database whose tables hold results.",
    details: """
      Declare exactly one of `sqlite` and `postgres`. A load is one transaction: the records, the cursor, what the table \
      was loaded with (`reactor_tables`) and a row of history (`reactor_loads`). It is stored as a whole or not at all.
      """, fields: [sqlite, postgres, schema, lockTimeout, statementTimeout, connections],
    requirements: [
      .excludes([postgres], sqlite, code: .misplacedKey, help: "declare a second store for the other") { _, _ in
        "a store is one database, either 'sqlite' or 'postgres'"
      },
      .excludes(
        [schema, statementTimeout, connections], sqlite, unless: postgres, code: .misplacedKey,
        help: "leave it out: SQLite has no such thing"
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
    "connections", .integer(1...100), default: "4", "The maximum number of connections at once, in PostgreSQL.",
    details: "A flow needs a connection only while it looks up its result and while it loads.", edit: .keepsResult,
    examples: ["postgres: postgresql:///shop\nconnections: 2"],
    mistakes: ["↓connections: 2": .misplacedKey, "postgres: postgresql:///shop\nconnections: ↓0": .outOfRange])
}
