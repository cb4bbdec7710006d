extension SQLError {
  /// The error of a statement, by its SQLSTATE (PostgreSQL documentation, appendix A).
  init(postgreSQL code: String, _ message: String, hint: String?) {
    let kind: Kind =
      switch code {
      case "40001", "40P01": .conflict
      case "55P03": .lock
      case "23505": .unique
      case "57P01", "57P02", "57P03": .connection
      case _ where code.hasPrefix("08"): .connection
      default: .statement
      }
    self.init(kind, message, code: code, help: hint ?? Self.help(code))
  }

  private static func help(_ code: String) -> String? {
    switch code {
    case "3F000": "create the schema (CREATE SCHEMA …), or name another one with 'schema'"
    case "42501": "grant this user the right, for example: GRANT ALL ON SCHEMA … TO …"
    case "42P10": "give the table a primary key of the key's columns: ALTER TABLE … ADD PRIMARY KEY (…)"
    case "53100": "free some space on the disk of the database"
    case "54000": "a row can have at most 8 KB besides its long values: put some fields into one field of type json"
    case "55P03": "another transaction holds a lock: wait until it ends, or raise 'lock_timeout'"
    case "57014": "raise 'statement_timeout', or load less at once"
    case "25006": "the server or the transaction is read-only: use the primary server"
    case "0A000": "a view depends on the column: drop the view, load, and create it again"
    default: nil
    }
  }

  /// The error of a connection that could not be made; libpq has no code for it.
  init(connecting message: String) {
    let isRefused = [
      "password authentication failed", "does not exist", "no password supplied", "no pg_hba.conf entry",
    ]
    .contains { message.contains($0) }
    // A wrong password stays wrong, so such an error is not tried again.
    self.init(
      isRefused ? .statement : .connection, message,
      help: isRefused
        ? "check the user, the password and the name of the database in the store's URL"
        : "check that the server runs, and its host and port in the store's URL")
  }
}
