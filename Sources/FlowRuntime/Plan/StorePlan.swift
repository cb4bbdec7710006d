package import Databases
internal import Records

/// A database into which flows load, with all values filled in.
package struct StorePlan: Sendable, Hashable {
  /// Which database it is, and where.
  package enum Location: Sendable, Hashable {
    /// An SQLite file: its folders from the output root down, then its name.
    case sqlite([String])
    /// A PostgreSQL server: its connection URI, which may contain a password, and the schema of the tables.
    case postgres(String, schema: String)
  }

  /// The name of the store in its file.
  package let name: String
  /// Which database it is, and where.
  package let location: Location
  /// How long a statement waits for a lock, in milliseconds.
  package var lockTimeout = 10_000
  /// How long a statement may run, in milliseconds; 0 for no limit.
  package var statementTimeout = 0
  /// The maximum number of connections at once.
  package var connections = 4

  package init(name: String, location: Location) {
    self.name = name
    self.location = location
  }

  /// What the database can hold, and its statements.
  package var dialect: any SQLDialect {
    switch location {
    case .sqlite: SQLiteDialect()
    case .postgres(_, let schema):
      PostgreSQLDialect(schema: schema, lockTimeout: lockTimeout, statementTimeout: statementTimeout)
    }
  }

  /// A text that is equal for equal databases. It may contain a password.
  package var identity: String {
    switch location {
    case .sqlite(let path): "sqlite " + path.joined(separator: "/")
    case .postgres(let url, let schema): "postgres \(schema) \(url)"
    }
  }
}

/// A table as the place of a flow's result.
package struct TablePlan: Sendable {
  package let store: StorePlan
  /// The name of the table.
  package let name: String
  /// Whether the table's columns may not change.
  package let isFrozen: Bool
  /// Whether old versions of the rows stay.
  package var keepsVersions = false

  package init(store: StorePlan, name: String, isFrozen: Bool) {
    self.store = store
    self.name = name
    self.isFrozen = isFrozen
  }

  /// The store and the table, as reports show them: `warehouse:orders`.
  package var text: String { "\(store.name):\(name)" }

  /// The form of the rows of a schema.
  func layout(of schema: RecordSchema, marksDeletions: Bool = false) -> TableLayout {
    TableLayout(of: schema, in: store.dialect, marksDeletions: marksDeletions)
  }
}

/// The place of a flow's result.
package enum ResultTarget: Sendable {
  case file(RecordPath)
  case table(TablePlan)

  /// The place, as reports show it.
  package var text: String {
    switch self {
    case .file(let path): path.text
    case .table(let table): table.text
    }
  }
}
