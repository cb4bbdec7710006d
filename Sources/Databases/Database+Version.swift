internal import CSQLite

extension Database {
  /// The version of SQLite, for reports.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
