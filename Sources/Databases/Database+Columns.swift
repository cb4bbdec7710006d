internal import FieldTypes
internal import ReactorCore
internal import Records

extension Database {
  /// Creates the table of a load, or adds the columns that are missing in it.
  ///
  /// - Returns: whether the table has no rows
  func prepare(
    _ load: TableLoad, _ before: TableStamp?, in session: any SQLSession
  ) async throws(LoadFailure) -> Bool {
    let present = try await sql { () throws(SQLError) in try await session.run(dialect.columns(of: load.table)) }
    guard !present.isEmpty else {
      try await sql { () throws(SQLError) in
        for statement in dialect.create(load) {
          try await session.run(statement)
        }
      }
      return true
    }
    let columns = Dictionary(present.map { ($0[0] ?? "", $0[1] ?? "") }) { first, _ in first }
    try await evolve(load, columns, before?.types ?? [:], in: session)
    return try await sql { () throws(SQLError) in
      try await session.run("SELECT 1 FROM \(dialect.qualified(load.table)) LIMIT 1").isEmpty
    }
  }

  /// Adds the columns that are missing in a table, and widens columns. A column that is no longer in the schema stays.
  private func evolve(
    _ load: TableLoad, _ present: [String: String], _ types: [String: FieldTypeName], in session: any SQLSession
  ) async throws(LoadFailure) {
    if let misfit = versionMisfit(load, present) { throw .load(misfit) }
    var changes: [String] = []
    var words: [String] = []
    var wider: [WiderColumn] = []
    // Rows that stay must fit the schema too, because they are read back with it.
    let keepsRows = try await keepsRows(load, in: session)
    for column in load.layout.columns {
      let wanted = dialect.columnType(of: column)
      guard let type = present[column.name] else {
        if column.isRequired, keepsRows { throw .load(lacking(load, column)) }
        changes.append(
          "ALTER TABLE \(dialect.qualified(load.table)) ADD COLUMN \(SQLName.quoted(column.name)) \(wanted)")
        words.append("add the column '\(column.name)' of type \(wanted)")
        continue
      }
      guard type.lowercased() != wanted.lowercased() else {
        if let old = types[column.name], !old.isRead(as: column.type), keepsRows {
          throw .load(clash(load, column, has: old.rawValue, column.type.rawValue))
        }
        continue
      }
      let change = WiderColumn(column: column, present: type, type: types[column.name])
      guard dialect.mayWiden(change) else { throw .load(clash(load, column, has: type, wanted)) }
      wider.append(change)
      words.append("change the column '\(column.name)' from \(type) to \(wanted)")
    }
    if !wider.isEmpty {
      let columns = wider
      let statements = try await sql { () throws(SQLError) in
        try await dialect.widen(columns, of: load.table, in: session)
      }
      changes = statements + changes
    }
    if load.mode == .append, present[TableLoad.loadColumn] == nil {
      changes.append("ALTER TABLE \(dialect.qualified(load.table)) ADD COLUMN \(dialect.loadColumn)")
      words.append("add the column '\(TableLoad.loadColumn)'")
    }
    guard !changes.isEmpty else { return }
    if load.isFrozen { throw .load(frozen(load, words, changes)) }
    try await sql { () throws(SQLError) in
      for statement in changes { try await session.run(statement) }
    }
  }

  /// Whether rows that are already in the table of a load remain after the load.
  private func keepsRows(_ load: TableLoad, in session: any SQLSession) async throws(LoadFailure) -> Bool {
    if load.startsAnew || load.mode == .replace && load.kept == nil && !load.keepsVersions { return false }
    return try await sql { () throws(SQLError) in
      try await !session.run("SELECT 1 FROM \(dialect.qualified(load.table)) LIMIT 1").isEmpty
    }
  }

  private func lacking(_ load: TableLoad, _ column: TableColumn) -> ReactorError {
    var error = ReactorError.persistence(
      "the table '\(load.table)' of '\(name)' has rows without the field '\(column.name)', which the schema requires",
      path: "\(name):\(load.table)")
    error.help =
      "declare the field with 'optional: true', load everything anew with --fresh=everything, or load into another table"
    return error
  }

  /// The error for a load without versions into a table with versions, or the reverse; nil when both agree.
  private func versionMisfit(_ load: TableLoad, _ present: [String: String]) -> ReactorError? {
    let columns = [TableLoad.versionColumns.from, TableLoad.versionColumns.to]
    let isOwn = load.layout.columns.contains { columns.contains($0.name) }
    let hasVersions = columns.allSatisfy { present[$0] != nil } && !isOwn
    guard load.mode != .append, hasVersions != load.keepsVersions else { return nil }
    var error = ReactorError.persistence(
      hasVersions
        ? "the table '\(load.table)' of '\(name)' has old versions of its rows, "
          + "which a load without 'history' would mix with the current rows"
        : "the table '\(load.table)' of '\(name)' was loaded without 'history', "
          + "so it is not known since when its rows have been valid",
      path: "\(name):\(load.table)")
    error.help =
      hasVersions
      ? "add 'history: true', or load into another table"
      : "load into another table, or rename the old one: ALTER TABLE \(dialect.qualified(load.table)) RENAME TO "
        + SQLName.quoted(load.table + "_old")
    return error
  }

  private func clash(_ load: TableLoad, _ column: TableColumn, has type: String, _ wanted: String) -> ReactorError {
    var error = ReactorError.persistence(
      "the column '\(column.name)' of the table '\(load.table)' has type \(type), and the field '\(column.name)' needs "
        + "\(wanted): changing it could lose data", path: "\(name):\(load.table)")
    let quoted = SQLName.quoted(column.name)
    error.help = """
      declare the field with a type that fits, or rename the old column yourself: ALTER TABLE \
      \(dialect.qualified(load.table)) RENAME COLUMN \(quoted) TO \(SQLName.quoted(column.name + "_old"))
      """
    return error
  }

  private func frozen(_ load: TableLoad, _ words: [String], _ changes: [String]) -> ReactorError {
    var error = ReactorError.persistence(
      "the table '\(load.table)' of '\(name)' does not fit the schema, and 'columns: freeze' does not allow a load to "
        + words.joined(separator: " and to "), path: "\(name):\(load.table)")
    error.help = "remove 'columns: freeze', or make the change yourself: \(changes.joined(separator: "; "))"
    return error
  }
}

extension FieldTypeName {
  /// Whether stored values of this type can be read as values of another type that has the same kind of column.
  fileprivate func isRead(as other: FieldTypeName) -> Bool {
    switch other {
    case self: true
    case .string: [.url, .uuid, .enumeration, .duration, .decimal, .date, .timestamp].contains(self)
    case .json: [.list, .object].contains(self)
    default: false
    }
  }
}
