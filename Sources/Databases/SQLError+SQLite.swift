internal import CSQLite

extension SQLError {
  /// The error of a result code.
  init(sqlite code: Int32, _ message: String) {
    let base = code & 0xFF
    let (kind, help): (Kind, String?) =
      switch base {
      case SQLITE_BUSY, SQLITE_LOCKED:
        (.lock, "another program is writing the file: wait until it ends, or raise 'lock_timeout'")
      // SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE
      case SQLITE_CONSTRAINT: (code >> 8 == 6 || code >> 8 == 8 ? .unique : .statement, nil)
      case SQLITE_INTERRUPT: (.cancelled, nil)
      case SQLITE_TOOBIG: (.statement, "a value of a row has more than 64 MiB: leave it out, or shorten it")
      case SQLITE_FULL: (.statement, "free some space on the file system")
      case SQLITE_READONLY, SQLITE_PERM: (.statement, "give this user write access to the file and to its folder")
      case SQLITE_CANTOPEN:
        (.statement, "check that the folder can be written, and that the path is not a symbolic link")
      case SQLITE_NOTADB, SQLITE_CORRUPT:
        (.statement, "the file is damaged or not an SQLite database: restore it, or move it away")
      default: (.statement, nil)
      }
    self.init(kind, message, code: String(code), help: help)
  }
}
