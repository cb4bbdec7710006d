/// The reason why a database cannot hold the table of a flow. It is found before any flow runs.
package struct TableProblem: Sendable {
  /// The description of the problem.
  package let message: String
  /// How to fix it.
  package let help: String
  /// The name of the field that has the problem; nil when the problem concerns the table itself.
  package let field: String?

  /// Finds the problems of a table with these columns.
  ///
  /// - Parameter ownColumns: how many additional columns a load needs, such as `reactor_load`
  package static func all(
    table: String, fields: [String], ownColumns: Int = 0, keepsVersions: Bool = false, in dialect: any SQLDialect
  ) -> [TableProblem] {
    var problems: [TableProblem] = []
    func check(_ name: String, _ noun: String, _ field: String?) {
      if name.utf8.count > dialect.maximumNameBytes {
        problems.append(
          TableProblem(
            message: "the \(noun) '\(name)' has \(name.utf8.count) bytes in its name, and "
              + "\(dialect.name) allows \(dialect.maximumNameBytes)", help: "choose a shorter name", field: field))
      }
      if name.utf8.contains(0) || name.isEmpty {
        problems.append(
          TableProblem(
            message: "the \(noun) has a name that is empty or contains a NUL character", help: "rename it",
            field: field))
      }
    }
    check(table, "table", nil)
    if table.lowercased().hasPrefix("sqlite_") || table.lowercased().hasPrefix("reactor_") {
      problems.append(
        TableProblem(message: "the name '\(table)' is reserved", help: "choose another name", field: nil))
    }
    var seen: [String: String] = [:]
    for name in fields {
      check(name, "column", name)
      let folded = name.lowercased()
      if dialect.reservedColumns.contains(folded) || ["reactor_load", "reactor_parent"].contains(folded)
        || keepsVersions && [TableLoad.versionColumns.from, TableLoad.versionColumns.to].contains(folded)
      {
        problems.append(
          TableProblem(
            message: "the column '\(name)' is reserved: \(dialect.name) and reactor use it themselves",
            help: "rename the field, for example '\(name)_: { from: $.\(name), … }'", field: name))
      }
      if let other = seen.updateValue(name, forKey: folded) {
        problems.append(
          TableProblem(
            message: "the columns '\(other)' and '\(name)' differ only in case", help: "rename one of the fields",
            field: name))
      }
    }
    if fields.count + ownColumns > dialect.maximumColumns {
      let own = ownColumns == 0 ? "" : " and \(ownColumns) of reactor's own"
      problems.append(
        TableProblem(
          message: "the table has \(fields.count) columns\(own), and \(dialect.name) allows \(dialect.maximumColumns)",
          help: "leave fields out, or put them into one field of type json", field: nil))
    }
    return problems
  }
}
