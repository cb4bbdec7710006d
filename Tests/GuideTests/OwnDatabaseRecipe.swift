// What docs/guides/databases.md shows of a database of your own; the tests compare and run it.

import Databases
import FieldTypes
import JSONSyntax
import Records
import Synchronization

/// What a database in memory can hold, and its statements. It keeps each value as its JSON text.
struct ToyDialect: SQLDialect {
  let name = "Toy"
  let maximumNameBytes = 100
  let maximumColumns = 100
  let reservedColumns: Set<String> = []
  let allowsNUL = true

  /// The bytes in which a session receives a value. `TableColumn.append(json:to:)` reads all of them.
  func encoding(of type: FieldTypeName) -> TableColumn.Encoding {
    switch type {
    case .integer: .integer
    case .number: .double
    case .boolean: .boolean
    case .list, .object, .json: .json
    default: .text
    }
  }

  func columnType(of column: TableColumn) -> String { "json" }
  func selection(of column: TableColumn) -> String { SQLName.quoted(column.name) }
  func qualified(_ table: String) -> String { SQLName.quoted(table) }
  var loadColumn: String { "\(SQLName.quoted(TableLoad.loadColumn)) json" }

  var begin: [String] { ["BEGIN"] }
  // Only one connection is open, so nothing else loads the table.
  func lock(_ table: String) -> [String] { [] }
  func columns(of table: String) -> String { "COLUMNS OF \(qualified(table))" }

  func create(_ load: TableLoad) -> [String] {
    ["CREATE TABLE \(qualified(load.table)) (\(SQLName.list(load.layout.columns.map(\.name))))"]
  }

  // All columns have one type, so none is ever widened.
  func mayWiden(_ column: WiderColumn) -> Bool { false }
  func widen(
    _ columns: [WiderColumn], of table: String, in session: any SQLSession
  ) async throws(SQLError) -> [String] { [] }

  /// Stores the rows of a load. The session of this dialect understands `STORE`.
  func fill(
    _ load: TableLoad, isEmpty: Bool, in session: any SQLSession, rows: RowSender
  ) async throws(LoadFailure) {
    if load.mode == .replace || load.startsAnew, !isEmpty {
      do throws(SQLError) {
        try await session.run("DELETE FROM \(qualified(load.table))")
      } catch {
        throw .database(error)
      }
    }
    let verb = load.mode == .append ? "ADD TO" : "STORE IN"
    try await rows(RowStatement("\(verb) \(qualified(load.table))", layout: load.layout))
  }
}

/// The tables of a toy database: rows of texts by column.
final class ToyTables: Sendable {
  struct Table {
    var columns: [String]
    var rows: [[String: String]] = []
  }

  let all = Mutex<[String: Table]>([:])
}

/// A connection to toy tables.
final class ToySession: SQLSession {
  private struct State {
    /// The tables at BEGIN; nil outside of a transaction.
    var before: [String: ToyTables.Table]?
    var statement = RowStatement("", layout: TableLayout(columns: [], key: []))
    /// The beginning of a row whose end has not arrived yet, or the lines that are read.
    var bytes: [UInt8] = []
  }

  private let tables: ToyTables
  private let state = Mutex(State())

  init(_ tables: ToyTables) { self.tables = tables }

  func run(_ sql: String, _ values: [String?]) async throws(SQLError) -> [[String?]] {
    switch sql.prefix(while: { $0 != " " }) {
    case "BEGIN": state.withLock { $0.before = tables.all.withLock { $0 } }
    case "COMMIT": state.withLock { $0.before = nil }
    case "ROLLBACK": rollBack()
    default: return try tables.all.withLock { (all) throws(SQLError) in try ToyStatement(sql).run(values, &all) }
    }
    return []
  }

  func close() async { rollBack() }

  private func rollBack() {
    state.withLock { state in
      if let before = state.before { tables.all.withLock { $0 = before } }
      state.before = nil
    }
  }

  // MARK: - Rows

  func beginRows(_ statement: RowStatement) async throws(SQLError) {
    state.withLock { state in
      state.statement = statement
      state.bytes = []
    }
  }

  func writeRows(_ bytes: [UInt8]) async throws(SQLError) {
    state.withLock { state in
      state.bytes += bytes
      let statement = state.statement
      let used = state.bytes.withUnsafeBufferPointer { bytes in
        var position = 0
        while let size = TableRowReader.size(bytes, from: position) {
          // The first two bytes are the number of values.
          store(UnsafeBufferPointer(rebasing: bytes[(position + 2)..<(position + size)]), statement)
          position += size
        }
        return position
      }
      state.bytes.removeFirst(used)
    }
  }

  private func store(_ row: UnsafeBufferPointer<UInt8>, _ statement: RowStatement) {
    var reader = TableRowReader(row)
    var values: [String: String] = [:]
    let isDeletion = statement.layout.marksDeletions && reader.next()?.first == 1
    for column in statement.layout.columns {
      let json = ByteBuffer(capacity: 64)
      column.append(json: reader.next(), to: json)
      values[column.name] = String(decoding: json.copy(), as: UTF8.self)
    }
    let key = statement.sql.hasPrefix("STORE") ? statement.layout.key : []
    tables.all.withLock { all in
      let name = ToyStatement(statement.sql).table
      if !key.isEmpty { all[name]?.rows.removeAll { row in key.allSatisfy { row[$0] == values[$0] } } }
      if !isDeletion { all[name]?.rows.append(values) }
    }
  }

  func endRows() async throws(SQLError) {
    guard state.withLock({ $0.bytes.isEmpty }) else { throw SQLError(.statement, "the rows end inside a row") }
  }

  func beginReading(_ sql: String, _ columns: [TableColumn]) async throws(SQLError) {
    let rows = tables.all.withLock { $0[ToyStatement(sql).table]?.rows ?? [] }
    let lines = rows.map { row in
      "{" + columns.map { "\"\($0.name)\":\(row[$0.name] ?? "null")" }.joined(separator: ",") + "}\n"
    }
    state.withLock { $0.bytes = Array(lines.joined().utf8) }
  }

  func read() async throws(SQLError) -> [UInt8]? {
    state.withLock { state in
      defer { state.bytes = [] }
      return state.bytes.isEmpty ? nil : state.bytes
    }
  }
}

/// One statement of `Database` or of the dialect.
struct ToyStatement {
  private let sql: String

  init(_ sql: String) { self.sql = sql }

  /// The name of the table, which is the first quoted name after FROM, INTO, TABLE, IN, TO or OF.
  var table: String {
    sql.firstMatch(of: /(?:FROM|INTO|TABLE|EXISTS|IN|TO|OF) "([^"]+)"/).map { String($0.1) } ?? ""
  }

  /// The names in the first parentheses.
  private var names: [String] {
    guard let list = sql.firstMatch(of: /\((.*?)\)/)?.1 else { return [] }
    return list.split(separator: ",").compactMap { part in part.firstMatch(of: /"([^"]+)"/).map { String($0.1) } }
  }

  /// The columns of `WHERE a = $1 AND b = $2`.
  private var conditions: [String] { sql.matches(of: /(\w+) = \$\d/).map { String($0.1) } }

  func run(_ values: [String?], _ tables: inout [String: ToyTables.Table]) throws(SQLError) -> [[String?]] {
    let wanted = conditions
    func fits(_ row: [String: String]) -> Bool { zip(wanted, values).allSatisfy { row[$0] == $1 } }
    switch sql.prefix(while: { $0 != " " }) {
    case "CREATE": if tables[table] == nil { tables[table] = ToyTables.Table(columns: names) }
    case "ALTER":
      if let column = sql.firstMatch(of: /COLUMN "([^"]+)"/) { tables[table]?.columns.append(String(column.1)) }
    case "COLUMNS": return (tables[table]?.columns ?? []).map { [$0, "json"] }
    case "DELETE": tables[table]?.rows.removeAll(where: fits)
    case "INSERT":
      let row = zip(names, values).compactMap { name, value in value.map { (name, $0) } }
      tables[table]?.rows.append(Dictionary(row) { first, _ in first })
    case "SELECT":
      guard let selected = sql.firstMatch(of: /SELECT (.*) FROM/)?.1 else { return [["1"]] }
      let rows = (tables[table]?.rows ?? []).filter(fits)
      if selected == "count(*)" { return [["\(rows.count)"]] }
      let columns = selected.split(separator: ", ").map(String.init)
      return rows.map { row in columns.map { row[$0] } }
    default: throw SQLError(.statement, "unknown statement: \(sql)")
    }
    return []
  }
}
