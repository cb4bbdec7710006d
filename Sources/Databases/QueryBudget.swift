/// Limits the result of a query in a flow file, because a join without a condition, or a query that never ends, would
/// fill the disk.
struct QueryBudget {
  /// The greatest number of rows.
  static let rows = 10_000_000
  /// The greatest size of all rows as JSON Lines, in bytes.
  static let bytes = 1 << 30

  private var rows = 0
  private var bytes = 0

  /// Counts complete lines; throws when there are too many.
  mutating func take(_ lines: [UInt8]) throws(SQLError) {
    bytes += lines.count
    for byte in lines where byte == 0x0A { rows += 1 }
    guard rows <= Self.rows, bytes <= Self.bytes else {
      throw SQLError(
        .statement, "it returns more than \(Self.rows) rows or \(Self.bytes >> 20) MiB",
        help: "add a condition or a LIMIT to the query")
    }
  }
}
