internal import ReactorCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Database {
  /// An SQLite file. The first load creates it; its folder must exist.
  ///
  /// A path that is a symbolic link is refused.
  ///
  /// - Parameters:
  ///   - path: the path of the file, relative to the working folder unless it is absolute
  ///   - name: the name of the database, for messages
  ///   - lockTimeout: how long a load waits for another writer, in milliseconds
  ///   - isDurable: whether a load survives a crash of the machine; if false, it survives only a crash of the program
  public static func sqlite(
    at path: String, name: String = "sqlite", lockTimeout: Int = 10_000, isDurable: Bool = true
  ) -> Database {
    // SQLite has one writer at a time, so a second connection would only wait for the first.
    Database(
      name: name, dialect: SQLiteDialect(), connections: 1,
      exists: { () throws(ReactorError) in access(path, F_OK) == 0 }
    ) { () throws(SQLError) in
      try await SQLiteSession.open(
        try absolute(path), lockTimeout: Int32(clamping: lockTimeout), isDurable: isDurable)
    }
  }

  /// The tables of a schema of a PostgreSQL server. The schema must exist.
  ///
  /// - Parameters:
  ///   - url: a connection URI (`postgresql://user@host/database`) or a list of `keyword=value`. Missing parts are
  ///     taken from the environment variables and the password file of libpq.
  ///   - schema: the schema of the tables
  ///   - name: the name of the database, for messages, which never contain the URL
  ///   - connections: the maximum number of connections at once
  ///   - lockTimeout: how long a statement waits for a lock, in milliseconds
  ///   - statementTimeout: how long a statement may run, in milliseconds; 0 for no limit
  public static func postgreSQL(
    _ url: String, schema: String = "public", name: String = "postgresql", connections: Int = 4,
    lockTimeout: Int = 10_000, statementTimeout: Int = 0
  ) -> Database {
    Database(
      name: name,
      dialect: PostgreSQLDialect(schema: schema, lockTimeout: lockTimeout, statementTimeout: statementTimeout),
      connections: connections
    ) { () throws(SQLError) in try await PostgreSQLSession.open(url) }
  }

  /// The path without symbolic links in its folders, which SQLite would refuse.
  private static func absolute(_ path: String) throws(SQLError) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let folder = path.dropLast(name.utf8.count)
    guard !name.isEmpty, let resolved = realpath(folder.isEmpty ? "." : String(folder), nil) else {
      throw SQLError(
        .statement, "'\(path)' cannot be opened: its folder does not exist", help: "create the folder '\(folder)'")
    }
    defer { free(resolved) }
    return "\(String(cString: resolved))/\(name)"
  }
}
