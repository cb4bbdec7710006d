package import Databases
package import FlowModel

extension Store where Text == String {
  /// The SQL dialect of the database: its types and its statements.
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
    case .sqlite(let path): "sqlite \(path)"
    case .postgres(let url, let schema): "postgres \(schema) \(url)"
    }
  }
}
