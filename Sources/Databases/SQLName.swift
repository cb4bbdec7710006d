/// Quotes names and texts for SQL so that no character in them can end the quotes.
public enum SQLName {
  /// A quoted name: `"order"`. A quote inside is doubled (SQL-92, section 5.2).
  public static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Quoted names with commas between them.
  public static func list(_ names: some Sequence<String>) -> String { names.map(quoted).joined(separator: ", ") }

  /// A statement without the semicolon at its end, so that it can be a part of another one.
  static func bare(_ sql: String) -> Substring {
    var sql = Substring(sql)
    while let last = sql.last, last.isWhitespace || last == ";" { sql.removeLast() }
    return sql
  }

  /// A quoted text: `'it''s'`.
  public static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
